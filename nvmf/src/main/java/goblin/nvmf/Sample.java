// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.List;

/**
 * One figure, as metrics and {@code stats} show it.
 *
 * @param name   lower case with underscores
 * @param help   one line
 * @param grows  whether it only grows
 * @param labels names and values in turn; their values are bounded in number
 * @param value  the figure
 */
record Sample(String name, String help, boolean grows, List<String> labels, long value) {

    /** As one line: {@code name{label="value"} 3}. */
    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < labels.size(); i += 2) {
            text.append(i == 0 ? '{' : ',')
                    .append(labels.get(i))
                    .append("=\"")
                    .append(labels.get(i + 1))
                    .append('"');
        }
        return text.append(labels.isEmpty() ? " " : "} ").append(value).toString();
    }
}
