// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * What a program printed and how it ended.
 *
 * @param status exit status
 * @param out    standard output
 * @param err    standard error
 */
record Captured(int status, String out, String err) {
    static Captured run(final IntSupplier program) {
        final PrintStream out = System.out;
        final PrintStream err = System.err;
        final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
        try {
            final int status = program.getAsInt();
            System.out.flush();
            return new Captured(
                    status, outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
