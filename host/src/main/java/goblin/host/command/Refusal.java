// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/**
 * Ends a command with an error reply, from whatever depth finds the fault. Only to be thrown before the command wrote
 * or changed anything; {@link #answered} turns it into the reply. It carries no stack: it is an answer, not a defect.
 */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String text) {
        super(text, null, false, false);
    }

    /** The key holds another type. */
    static Refusal wrongType() {
        return new Refusal(Errors.WRONG_TYPE);
    }

    /** The options make no sense. */
    static Refusal syntax() {
        return new Refusal(Errors.SYNTAX);
    }

    /** A word is no whole number of 64 bits. */
    static Refusal notAnInteger() {
        return new Refusal(Errors.NOT_AN_INTEGER);
    }

    /** Answers refusals of a command with their texts. */
    static Command answered(Command command) {
        return call -> {
            try {
                command.execute(call);
            } catch (Refusal refusal) {
                call.error(refusal.getMessage());
            }
        };
    }
}
