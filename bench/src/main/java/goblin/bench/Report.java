// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints each table as Markdown and keeps it as CSV in a folder; progress goes to standard error. */
final class Report {
    private final Path folder;

    Report(final Path folder) {
        this.folder = folder;
    }

    /** Prints a table under a heading and writes {@code NAME.csv}. */
    void table(final String name, final String heading, final Table table) throws Failure {
        System.out.println("\n### " + heading + "\n\n" + table.markdown());
        System.out.flush();
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + ".csv"), table.csv());
        } catch (final IOException failure) {
            throw new Failure("cannot write " + name + ".csv: " + failure.getMessage(), failure);
        }
    }

    void progress(final String line) {
        System.err.println(line);
    }
}
