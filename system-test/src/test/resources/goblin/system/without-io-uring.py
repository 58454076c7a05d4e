# SPDX-License-Identifier: Apache-2.0
# Becomes a program for which the kernel refuses io_uring: without-io-uring.py ERRNO PROGRAM [ARGUMENT...]
# Its calls of io_uring_setup, io_uring_enter and io_uring_register fail with that number, as under many containers.
import ctypes
import os
import struct
import sys

PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO = 0x00050000
# The same on x86-64 and aarch64.
FIRST_CALL, LAST_CALL = 425, 427
LOAD_WORD, JUMP_GREATER_OR_EQUAL, JUMP_GREATER, RETURN = 0x20, 0x35, 0x25, 0x06

# Of each: code, how many to skip if true, if false, and the operand. The number of the call is the first word of what is filtered.
instructions = [
    (LOAD_WORD, 0, 0, 0),
    (JUMP_GREATER_OR_EQUAL, 0, 2, FIRST_CALL),
    (JUMP_GREATER, 1, 0, LAST_CALL),
    (RETURN, 0, 0, SECCOMP_RET_ERRNO | int(sys.argv[1])),
    (RETURN, 0, 0, SECCOMP_RET_ALLOW),
]
filter_bytes = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in instructions))
program = ctypes.create_string_buffer(struct.pack("@HP", len(instructions), ctypes.addressof(filter_bytes)))

prctl = ctypes.CDLL(None, use_errno=True).prctl
prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
    sys.exit("prctl(PR_SET_NO_NEW_PRIVS): " + os.strerror(ctypes.get_errno()))
if prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program), 0, 0) != 0:
    sys.exit("prctl(PR_SET_SECCOMP): " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
