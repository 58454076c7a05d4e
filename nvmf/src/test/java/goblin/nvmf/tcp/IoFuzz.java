// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** Target of a fuzzer: commands to an I/O queue and their data, see {@link CommandFuzz}. */
public final class IoFuzz {
    private static final CommandFuzz FUZZ = new CommandFuzz("io", CommandFuzz.Depth.IO);

    private IoFuzz() {}

    /** Called by the fuzzer for each input. */
    public static void fuzzerTestOneInput(final byte[] bytes) {
        FUZZ.run(bytes);
    }

    /** Called by the fuzzer at its end. */
    public static void fuzzerTearDown() {
        FUZZ.report();
    }
}
