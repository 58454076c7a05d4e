// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

/** The release these programs belong to. */
final class Version {
    /** The project's version, such as {@code 0.1.0}; {@code unknown} where the program does not run as a module. */
    static final String TEXT = read();

    private Version() {}

    /** As Identify shows it: its first 8 characters. */
    static String firmware() {
        return TEXT.substring(0, Math.min(TEXT.length(), 8));
    }

    private static String read() {
        final var descriptor = Version.class.getModule().getDescriptor();
        return descriptor == null ? "unknown" : descriptor.rawVersion().orElse("unknown");
    }
}
