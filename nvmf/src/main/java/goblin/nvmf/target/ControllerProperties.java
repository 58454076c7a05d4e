// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** The properties of a controller: what they are called on the wire and what they say. */
final class ControllerProperties {
    static final int CAP = 0x00;
    static final int VS = 0x08;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;
    static final int CRTO = 0x68;

    /** VS: 2.0. */
    static final int VERSION = 0x0002_0000;

    static final int CC_ENABLE = 1;
    static final int CC_SHUTDOWN = 3 << 14;

    static final int CSTS_READY = 1;
    static final int CSTS_FATAL = 1 << 1;
    static final int CSTS_SHUTDOWN = 3 << 2;
    static final int CSTS_SHUTDOWN_STARTED = 1 << 2;
    static final int CSTS_SHUTDOWN_DONE = 2 << 2;

    /** Of 500 ms each: how long enabling, disabling and shutting down may take. */
    private static final int TIMEOUT_UNITS = 60;

    /** Command sets: NVM (bit 0), and all that there are (bit 6). */
    private static final long COMMAND_SETS = 0x41;

    private ControllerProperties() {}

    /** CAP: CQR, the NVM command set, pages of 4 KiB, media ready when the controller is. */
    static long capabilities(final TargetOptions options) {
        return (options.maxQueueDepth() - 1) | 1L << 16 | (long) TIMEOUT_UNITS << 24 | COMMAND_SETS << 37 | 1L << 59;
    }

    /** CRTO: the same time for media. */
    static int readyTimeouts() {
        return TIMEOUT_UNITS;
    }

    /** Whether a controller can be enabled with this configuration: command set 0 or 6, pages of 4 KiB, round robin. */
    static boolean canEnable(final int cc) {
        final int commandSet = cc >>> 4 & 7;
        return (commandSet == 0 || commandSet == 6) && (cc >>> 7 & 0xF) == 0 && (cc >>> 11 & 7) == 0;
    }

    /** Whether I/O queues have entries of 64 and 16 bytes. */
    static boolean hasEntrySizes(final int cc) {
        return (cc >>> 16 & 0xF) == 6 && (cc >>> 20 & 0xF) == 4;
    }
}
