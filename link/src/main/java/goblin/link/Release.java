// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built: project version, schema hash and commit, written by the build. Two programs pair only when their
 * {@link #text()} is equal; a build with uncommitted changes carries their hash, so it pairs with itself only.
 *
 * @param version the project's version, such as {@code 0.1.0}
 * @param schema SHA-256 of the link's schema, in hexadecimal
 * @param commit abbreviated commit, or {@code unknown} when built outside a git work tree
 * @param dirty SHA-256 of the uncommitted changes, or empty when there were none
 */
public record Release(String version, String schema, String commit, String dirty) {
    private static final int SHORT_HASH = 8;
    private static final Release CURRENT = load();

    /**
     * Returns the release of the running program.
     *
     * @return the release, never {@code null}
     */
    public static Release current() {
        return CURRENT;
    }

    /**
     * Returns the text that both ends compare, such as {@code 0.1.0+1f2e3d4c.0123456789ab}.
     *
     * @return ASCII text without spaces
     */
    public String text() {
        final String clean = version + '+' + shorten(schema) + '.' + commit;
        return dirty.isEmpty() ? clean : clean + "-dirty." + shorten(dirty);
    }

    private static String shorten(final String hash) {
        return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
    }

    private static Release load() {
        final Properties properties = new Properties();
        try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Release(
                properties.getProperty("version", "unknown"),
                properties.getProperty("schema", "unknown"),
                properties.getProperty("commit", "unknown"),
                properties.getProperty("dirty", ""));
    }
}
