# SPDX-License-Identifier: Apache-2.0
"""Becomes the given command, for which the kernel refuses io_uring as containers do: io_uring_setup ends with EPERM."""
import ctypes
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO, EPERM, IO_URING_SETUP = 0x7FFF0000, 0x00050000, 1, 425


def instruction(code, jump_true, jump_false, value):
    return struct.pack("HBBI", code, jump_true, jump_false, value)


program = (
    instruction(LOAD_WORD, 0, 0, 0)  # struct seccomp_data begins with the number of the call
    + instruction(JUMP_IF_EQUAL, 0, 1, IO_URING_SETUP)
    + instruction(RETURN, 0, 0, ERRNO | EPERM)
    + instruction(RETURN, 0, 0, ALLOW)
)
filters = ctypes.create_string_buffer(program)
header = ctypes.create_string_buffer(struct.pack("H6xQ", len(program) // 8, ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
for call in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(header), 0, 0)):
    if libc.prctl(ctypes.c_int(call[0]), *(ctypes.c_ulong(argument) for argument in call[1:])) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())} on {platform.machine()}")
os.execv(sys.argv[1], sys.argv[1:])
