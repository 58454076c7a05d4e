// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** N44, N52: what Identify Namespace must say, read by the offsets of the specification. */
class NamespacePageTest {
    private static final NamespaceIdentity IDENTITY = new NamespaceIdentity(
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 0x0102030405060708L, 0x090A0B0C0D0E0F10L);
    private static final NamespaceTraits PLAIN = new NamespaceTraits(false, true, true, true, 1);

    private static Bytes nvm(final NamespaceFacts facts) {
        return Native.written(4096, page -> NamespacePage.NVM.put(facts, page));
    }

    private static NamespaceFacts facts(final int blockBytes, final NamespaceTraits traits) {
        return new NamespaceFacts(2048, blockBytes, 3, IDENTITY, traits);
    }

    @Property(tries = 100)
    void shouldSaySizeBlockAndGroup(
            @ForAll @LongRange(min = 1) final long blocks,
            @ForAll final boolean large,
            @ForAll @IntRange(min = 1) final int group) {
        final int blockBytes = large ? 4096 : 512;
        final Bytes n = nvm(new NamespaceFacts(blocks, blockBytes, group, IDENTITY, PLAIN));
        assertThat(n.u64(0)).as("NSZE").isEqualTo(blocks);
        assertThat(n.u64(8)).as("NCAP").isEqualTo(blocks);
        assertThat(n.u64(16)).as("NUSE").isEqualTo(blocks);
        assertThat(n.u8(25)).as("NLBAF").isZero();
        assertThat(n.u8(26)).as("FLBAS").isZero();
        assertThat(n.u16(128)).as("MS").isZero();
        assertThat(1 << n.u8(130)).as("LBADS").isEqualTo(blockBytes);
        assertThat(n.u8(30)).as("NMIC").isEqualTo(1);
        assertThat(n.u8(31)).as("RESCAP").isZero();
        assertThat(n.u32(92)).as("ANAGRPID").isEqualTo(group);
    }

    @Test
    void n44_shouldTellTheIdentifierMostSignificantByteFirstAndNoOther() {
        final Bytes n = nvm(facts(512, PLAIN));
        assertThat(n.range(104, 16)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        assertThat(n.u64(120)).as("EUI64").isZero();
    }

    @Test
    void n52_shouldHintAtLargerBlocksWithoutPromisingThatTheyAreAtomic() {
        final Bytes n = nvm(facts(512, new NamespaceTraits(false, true, true, true, 8)));
        assertThat(n.u8(24)).as("NSFEAT").isEqualTo(0x10);
        assertThat(n.u16(64)).as("NPWG").isEqualTo(7);
        assertThat(n.u16(66)).as("NPWA").isEqualTo(7);
        assertThat(n.u16(68)).as("NPDG").isEqualTo(7);
        assertThat(n.u16(70)).as("NPDA").isEqualTo(7);
        assertThat((n.u16(72) + 1) % (n.u16(64) + 1))
                .as("NOWS a multiple of NPWG")
                .isZero();
        assertThat(n.u16(36)).as("NAWUPF").isZero();
        assertThat(nvm(facts(4096, PLAIN)).isZero(64, 10)).isTrue();
        assertThat(nvm(facts(4096, PLAIN)).u8(24)).isZero();
    }

    @Test
    void shouldPromiseZerosOfDeallocatedBlocksOnlyWhereTheyReadSo() {
        assertThat(nvm(facts(512, new NamespaceTraits(false, true, true, true, 1)))
                        .u8(33))
                .isEqualTo(0x09);
        assertThat(nvm(facts(512, new NamespaceTraits(false, true, false, true, 1)))
                        .u8(33))
                .isEqualTo(0x01);
        assertThat(nvm(facts(512, new NamespaceTraits(false, true, true, false, 1)))
                        .u8(33))
                .isZero();
    }

    @Test
    void shouldShowThatANamespaceTakesNoWrites() {
        assertThat(nvm(facts(512, PLAIN)).u8(99)).isZero();
        assertThat(nvm(facts(512, new NamespaceTraits(true, false, false, false, 1)))
                        .u8(99))
                .isEqualTo(1);
    }

    @Test
    void shouldSayTheSameWhateverTheCommandSet() {
        final NamespaceFacts facts = facts(512, new NamespaceTraits(true, false, false, false, 1));
        final Bytes n = Native.written(4096, page -> NamespacePage.ANY.put(facts, page));
        assertThat(n.u8(1)).as("NMIC").isEqualTo(1);
        assertThat(n.u32(4)).as("ANAGRPID").isEqualTo(3);
        assertThat(n.u8(8)).as("NSATTR").isEqualTo(1);
        assertThat(n.u8(14)).as("NSTAT ready").isEqualTo(1);
    }
}
