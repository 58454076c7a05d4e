// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that holds the programs' executables. */
final class Root {
    private Root() {}

    /** Takes the one given, or the launcher's, or the current folder. */
    static Path find(final Path given) throws Failure {
        final String launcher = System.getenv("GOBLIN_ROOT");
        final Path root = given != null ? given : Path.of(launcher != null ? launcher : "");
        if (!Files.isExecutable(root.resolve("bin/goblin-core"))) {
            throw new Failure(root.toAbsolutePath() + " holds no bin/goblin-core; name the folder with --root");
        }
        return root.toAbsolutePath().normalize();
    }
}
