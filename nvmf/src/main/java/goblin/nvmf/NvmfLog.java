// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.io.PrintStream;

/** One line on standard error for each thing an operator must know. Any thread; never called for each command. */
final class NvmfLog {
    private final PrintStream out;

    NvmfLog(final PrintStream out) {
        this.out = out;
    }

    /** Writes {@code goblin-nvmf: text}; control characters in the text are made visible. */
    void line(final String text) {
        final StringBuilder safe = new StringBuilder(NvmfMain.NAME).append(": ");
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            safe.append(c < ' ' || c == 0x7F ? '?' : c);
        }
        out.println(safe);
    }
}
