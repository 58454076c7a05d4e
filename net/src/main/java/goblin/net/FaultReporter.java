// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** Where exceptions that must not end a loop are told. Called on the loop's thread. */
@FunctionalInterface
public interface FaultReporter {

    /** Writes one line to standard error: where, what, and the frame it came from. */
    FaultReporter STANDARD_ERROR = (where, fault) -> {
        final StackTraceElement[] trace = fault.getStackTrace();
        System.err.println(where + ": " + fault + (trace.length == 0 ? "" : " at " + trace[0]));
    };

    /**
     * Something threw.
     *
     * @param where what ran, for people
     * @param fault what it threw
     */
    void report(String where, Throwable fault);

    /**
     * Throws again what nobody should survive: errors of the virtual machine such as a full heap. A stack overflow is
     * the fault of one handler.
     *
     * @param thrown what a handler threw
     */
    static void rethrowFatal(final Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
    }
}
