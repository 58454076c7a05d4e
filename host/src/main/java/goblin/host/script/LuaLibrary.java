// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Finds the shared library of Lua 5.1 and loads it into the process, once. */
@SuppressWarnings("restricted")
final class LuaLibrary {
    /** Names a file to load instead of the one that comes with the program. */
    static final String FILE_PROPERTY = "goblin.lua.library";

    private LuaLibrary() {}

    static SymbolLookup load() {
        final String file = System.getProperty(FILE_PROPERTY);
        if (file != null) {
            return SymbolLookup.libraryLookup(Path.of(file), Arena.global());
        }
        final String name = fileName(System.getProperty("os.arch"));
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is neither on the module path nor on the class path");
            }
            // The loader needs a file; once it is mapped the name is not needed any more.
            final Path copy = Files.createTempFile("goblin-lua", ".so");
            try {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
                return SymbolLookup.libraryLookup(copy, Arena.global());
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (final IOException failure) {
            throw new UncheckedIOException("cannot unpack " + name, failure);
        }
    }

    static String fileName(final String architecture) {
        return switch (architecture) {
            case "amd64", "x86_64" -> "liblua5164.so";
            case "aarch64" -> "liblua51arm64.so";
            default -> throw new IllegalStateException("no Lua library for " + architecture);
        };
    }
}
