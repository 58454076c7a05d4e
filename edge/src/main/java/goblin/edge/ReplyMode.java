// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** {@code CLIENT REPLY}: whether replies are swallowed. Pushes and confirmations never are. */
final class ReplyMode {
    private boolean off;
    private boolean skipNext;
    private boolean suppressed;

    /** A command is being answered: decides whether its reply is swallowed. */
    void beginCommand() {
        suppressed = off || skipNext;
        skipNext = false;
    }

    /** ON, OFF, or SKIP for the next command. */
    void set(final boolean nowOff, final boolean skip) {
        off = nowOff;
        skipNext = skip && !nowOff;
        suppressed = nowOff || skip;
    }

    /** This reply must be seen whatever the mode. */
    void allow() {
        suppressed = false;
    }

    boolean isOff() {
        return off;
    }

    /** Whether the reply to the present command is swallowed. */
    boolean isSuppressed() {
        return suppressed;
    }
}
