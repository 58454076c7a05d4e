// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;

/** A request that a test fills field by field, with data in pieces of its choice. */
final class IoRequest extends Request implements AutoCloseable {
    private final List<Long> memory = new ArrayList<>();

    private IoRequest(final long sqe, final long iovecs) {
        super(sqe, new RequestVector(iovecs));
        memory.add(sqe);
        memory.add(iovecs);
        Memory.fill(sqe, Sqe.BYTES, (byte) 0);
    }

    static IoRequest of(final int opcode, final int cid) {
        final IoRequest request =
                new IoRequest(Memory.allocate(Sqe.BYTES), Memory.allocate((long) RequestVector.INLINE * Iovec.BYTES));
        final long sqe = request.sqe();
        Memory.putByte(sqe, (byte) opcode);
        // PSDT 1, as every host on fabrics sets it.
        Memory.putByte(sqe + 1, (byte) 0x40);
        Memory.putShort(sqe + 2, (short) cid);
        return request.nsid(1);
    }

    static IoRequest of(final byte[] entry) {
        final IoRequest request = of(0, 0);
        Memory.copyIn(entry, 0, request.sqe(), Sqe.BYTES);
        return request.flags(0x40);
    }

    int dword(final int dword) {
        return Memory.getInt(sqe() + dword * 4L);
    }

    IoRequest nsid(final int nsid) {
        Memory.putInt(sqe() + 4, nsid);
        return this;
    }

    IoRequest flags(final int flags) {
        Memory.putByte(sqe() + 1, (byte) flags);
        return this;
    }

    IoRequest fuse(final int fuse) {
        return flags(0x40 | fuse);
    }

    /** Blocks, counted from one. */
    IoRequest blocks(final long first, final int count) {
        Memory.putLong(sqe() + 40, first);
        Memory.putShort(sqe() + 48, (short) (count - 1));
        return this;
    }

    IoRequest dword(final int dword, final int value) {
        Memory.putInt(sqe() + dword * 4L, value);
        return this;
    }

    IoRequest sgl(final long length) {
        Memory.putInt(sqe() + 32, (int) length);
        Memory.putByte(sqe() + 39, (byte) Sqe.SGL_TRANSPORT);
        return this;
    }

    /** Puts data into the vector, cut after {@code cut} bytes. */
    IoRequest data(final byte[] bytes, final int cut) {
        for (int at = 0; at < bytes.length; at += cut) {
            final int length = Math.min(cut, bytes.length - at);
            final long address = Memory.allocate(length);
            memory.add(address);
            Memory.copyIn(bytes, at, address, length);
            if (!vector().append(address, length)) {
                throw new IllegalArgumentException("too many pieces");
            }
        }
        return this;
    }

    byte[] data() {
        return VectorBytesOf.all(vector());
    }

    @Override
    public void close() {
        memory.forEach(Memory::free);
        memory.clear();
    }
}
