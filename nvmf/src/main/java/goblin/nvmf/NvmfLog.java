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
        out.println(NvmfMain.NAME + ": " + visible(text));
    }

    /** The text on one line, a question mark for whatever could move a terminal's cursor. */
    static String visible(final String text) {
        final StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().map(c -> isSafe(c) ? c : '?').forEach(safe::appendCodePoint);
        return safe.toString();
    }

    private static boolean isSafe(final int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
