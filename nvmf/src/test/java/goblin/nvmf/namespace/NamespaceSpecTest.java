// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceSpecTest {

    @Test
    void shouldReadMemoryAndNothing() throws NamespaceException {
        final NamespaceSpec memory = NamespaceSpec.parse("mem:64M,uuid=11111111-2222-3333-4444-555555555555");
        assertThat(memory.medium()).isEqualTo(NamespaceSpec.Kind.MEMORY);
        assertThat(memory.bytes()).isEqualTo(64L << 20);
        assertThat(memory.uuid()).isEqualTo(UUID.fromString("11111111-2222-3333-4444-555555555555"));
        assertThat(NamespaceSpec.parse("null:1T").medium()).isEqualTo(NamespaceSpec.Kind.NULL);
        assertThat(NamespaceSpec.parse("null:1T").bytes()).isEqualTo(1L << 40);
        assertThat(NamespaceSpec.parse("null:1T").uuid()).isNull();
    }

    @Test
    void shouldReadFilesWithTheirOptions() throws NamespaceException {
        final NamespaceSpec plain = NamespaceSpec.parse("file:/srv/a:b.img");
        assertThat(plain.path()).isEqualTo("/srv/a:b.img");
        assertThat(plain.bytes()).isZero();
        assertThat(plain.direct()).isFalse();
        assertThat(plain.readOnly()).isFalse();
        final NamespaceSpec sized = NamespaceSpec.parse("file:a.img,direct,size=10GiB");
        assertThat(sized.path()).isEqualTo("a.img");
        assertThat(sized.direct()).isTrue();
        assertThat(sized.bytes()).isEqualTo(10L << 30);
        assertThat(NamespaceSpec.parse("file:a.img,read-only").readOnly()).isTrue();
        assertThat(sized.nsid()).isZero();
        assertThat(NamespaceSpec.parse("file:a.img,nsid=7").nsid()).isEqualTo(7);
        assertThat(NamespaceSpec.parse("mem:1M,nsid=1024").nsid()).isEqualTo(NamespaceSpec.MAX_NSID);
        assertThat(sized).hasToString("file:a.img,direct,size=10GiB");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | must begin with",
                "mem | must begin with",
                "disk:/dev/sda | must begin with",
                "mem: | is not a size",
                "mem:0 | too small",
                "mem:-1 | is not a size",
                "mem:1X | is not a size",
                "mem:1KB | is not a size",
                "mem:9999999999999999999 | too large",
                "mem:9000000T | too large",
                "mem:1M,direct | no option",
                "mem:1M,size=2M | no option",
                "mem:1M, | no option",
                "null:1M,read-only | no option",
                "file: | path is missing",
                "file:a,b.img | a path holds no comma",
                "file:a,direct=yes | takes no value",
                "file:a,size | needs a value",
                "file:a,size=1M,size=2M | given twice",
                "file:a,size=1M,read-only | cannot be given a size",
                "mem:1M,nsid=0 | not an NSID",
                "mem:1M,nsid=1025 | not an NSID",
                "mem:1M,nsid=-1 | not an NSID",
                "mem:1M,nsid=4294967297 | not an NSID",
                "mem:1M,nsid | needs a value",
                "file:a,uuid=1-1-1-1-1 | not a UUID",
                "file:a,uuid=00000000-0000-0000-0000-000000000000 | nil UUID"
            })
    void shouldSayWhatIsWrong(final String text, final String why) {
        assertThatThrownBy(() -> NamespaceSpec.parse(text))
                .isInstanceOf(NamespaceException.class)
                .hasMessageContaining(text)
                .hasMessageContaining(why);
    }

    @Property
    void shouldReadEverySizeInEveryUnit(
            @ForAll @LongRange(min = 1, max = 1 << 20) final long number, @ForAll @IntRange(max = 4) final int unit)
            throws NamespaceException {
        final long bytes = number << (10 * unit);
        final String letter = unit == 0 ? "" : "KMGT".substring(unit - 1, unit);
        assertThat(NamespaceSpec.parseSize(number + letter)).isEqualTo(bytes);
        assertThat(NamespaceSpec.parseSize(number + letter.toLowerCase(java.util.Locale.ROOT)))
                .isEqualTo(bytes);
        assertThat(NamespaceSpec.parseSize(number + (unit == 0 ? "B" : letter + "iB")))
                .isEqualTo(bytes);
    }

    @Property
    void shouldThrowNothingElseForAnyText(@ForAll final String text) {
        try {
            assertThat(NamespaceSpec.parse("file:" + text).path()).isNotEmpty();
        } catch (final NamespaceException wrong) {
            assertThat(wrong).hasMessageContaining("namespace");
        }
    }
}
