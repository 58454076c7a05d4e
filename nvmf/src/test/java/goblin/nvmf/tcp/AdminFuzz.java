// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** Target of a fuzzer: commands to an enabled controller, see {@link CommandFuzz}. */
public final class AdminFuzz {
    private static final CommandFuzz FUZZ = new CommandFuzz("admin", CommandFuzz.Depth.ADMIN);

    private AdminFuzz() {}

    /** Called by the fuzzer for each input. */
    public static void fuzzerTestOneInput(final byte[] bytes) {
        FUZZ.run(bytes);
    }

    /** Called by the fuzzer at its end. */
    public static void fuzzerTearDown() {
        FUZZ.report();
    }
}
