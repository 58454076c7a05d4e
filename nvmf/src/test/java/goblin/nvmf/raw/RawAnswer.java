// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

/** How a command ended. */
public final class RawAnswer {
    private final int status;
    private final long result;
    private final int sqHead;
    private final byte[] data;

    RawAnswer(final int status, final long result, final int sqHead, final byte[] data) {
        this.status = status;
        this.result = result;
        this.sqHead = sqHead;
        this.data = data;
    }

    /** Status type and code as {@code goblin.nvmf.target.Status} has them, Do Not Retry (4000h) included. */
    public int status() {
        return status;
    }

    /** Dwords 0 and 1. */
    public long result() {
        return result;
    }

    /** The submission queue's head; -1 when the success came with the data. */
    public int sqHead() {
        return sqHead;
    }

    /** What a read brought, not a copy; empty otherwise. */
    public byte[] data() {
        return data;
    }

    /** The status without Do Not Retry. */
    public int code() {
        return status & 0x7FF;
    }

    /** Whether the same command would fail again. */
    public boolean doNotRetry() {
        return (status & 0x4000) != 0;
    }

    /** Dword 0. */
    public int dword0() {
        return (int) result;
    }

    @Override
    public String toString() {
        return "status %d/%02Xh%s, result %Xh"
                .formatted(code() >>> 8, code() & 0xFF, doNotRetry() ? " DNR" : "", result);
    }
}
