// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.io.PrintStream;

/** One line on standard error for each thing an operator must know. Never called per message. */
final class EdgeLog {
    private final PrintStream out;

    EdgeLog(final PrintStream out) {
        this.out = out;
    }

    /** Writes {@code goblin-core-bluefield: text}; control characters in the text are made visible. */
    void line(final String text) {
        final StringBuilder safe = new StringBuilder("goblin-core-bluefield: ");
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            safe.append(c < ' ' || c == 0x7F ? '?' : c);
        }
        out.println(safe);
    }
}
