// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** Target of a fuzzer: Fabrics commands on connections that were only opened, see {@link CommandFuzz}. */
public final class FabricsFuzz {
    private static final CommandFuzz FUZZ = new CommandFuzz("fabrics", CommandFuzz.Depth.FABRICS);

    private FabricsFuzz() {}

    /** Called by the fuzzer for each input. */
    public static void fuzzerTestOneInput(final byte[] bytes) {
        FUZZ.run(bytes);
    }

    /** Called by the fuzzer at its end. */
    public static void fuzzerTearDown() {
        FUZZ.report();
    }
}
