// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/**
 * What the edge knows of a client's {@code MULTI}: set when the command is read, corrected by the host's reply. A
 * command that the edge refused inside makes the next {@code EXEC} fail.
 */
final class Transaction {
    private boolean open;
    private boolean spoiled;

    boolean isOpen() {
        return open;
    }

    /** A refused command stands inside: the host's side must be discarded instead of executed. */
    boolean isSpoiled() {
        return spoiled;
    }

    void opened() {
        open = true;
        spoiled = false;
    }

    /** A command inside was refused; nothing happens outside a transaction. */
    void spoil() {
        spoiled = open;
    }

    /** {@code EXEC}, {@code DISCARD} or {@code RESET} was read, or the session is gone. */
    void ended() {
        open = false;
        spoiled = false;
    }

    /** The host answered the {@code MULTI} that opened it with an error. */
    void refused() {
        ended();
    }
}
