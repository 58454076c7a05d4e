// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class AffixHashTest {

    @Property(tries = 300)
    void shouldHashABeginningAsIfItWereAll(@ForAll @Size(max = 40) final byte[] name) {
        for (int length = 0; length <= name.length; length++) {
            final byte[] beginning = Arrays.copyOf(name, length);
            assertThat(hash(false, name, length)).isEqualTo(hash(false, beginning, length));
        }
    }

    @Property(tries = 300)
    void shouldHashAnEndAsIfItWereAll(@ForAll @Size(max = 40) final byte[] name) {
        for (int length = 0; length <= name.length; length++) {
            final byte[] end = Arrays.copyOfRange(name, name.length - length, name.length);
            assertThat(hash(true, name, length)).isEqualTo(hash(true, end, length));
        }
    }

    @Property(tries = 300)
    void shouldTellTheSameWhateverWasAskedBefore(
            @ForAll @Size(max = 40) final byte[] name, @ForAll final boolean ofEnds) {
        final AffixHash hash = new AffixHash(ofEnds);
        try (NativeBytes bytes = new NativeBytes(name)) {
            hash.start(bytes.address(), bytes.length());
            for (int length = 0; length <= name.length; length++) {
                assertThat(hash.of(length)).isEqualTo(hash(ofEnds, name, length));
                assertThat(hash.of(length)).isEqualTo(hash(ofEnds, name, length));
            }
        }
    }

    @Test
    void shouldTellNamesApartThatDifferInAnyByteOrInLength() {
        final Set<Long> hashes = new HashSet<>();
        int names = 0;
        for (int length = 0; length <= 24; length++) {
            for (int at = 0; at < Math.max(1, length); at++) {
                for (int value = length == 0 ? 255 : 0; value < 256; value++) {
                    final byte[] name = new byte[length];
                    if (length > 0) {
                        name[at] = (byte) value;
                    }
                    hashes.add(hash(false, name, length));
                    names += value == 0 && at > 0 ? 0 : 1;
                }
            }
        }
        assertThat(hashes).hasSize(names);
    }

    private static long hash(final boolean ofEnds, final byte[] name, final int length) {
        final AffixHash hash = new AffixHash(ofEnds);
        try (NativeBytes bytes = new NativeBytes(name)) {
            hash.start(bytes.address(), bytes.length());
            return hash.of(length);
        }
    }
}
