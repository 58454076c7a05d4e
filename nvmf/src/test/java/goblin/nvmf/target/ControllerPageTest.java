// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** N43: what Identify Controller must say, read by the offsets of the specification. */
class ControllerPageTest {
    private static final String NQN = "nqn.2026-01.io.example:one";

    private static ControllerFacts facts(final boolean discovery, final boolean cachePresent) {
        return new ControllerFacts(
                discovery,
                0xFEED,
                NQN,
                "S1",
                "Model",
                "0.1",
                1 << 20,
                8192,
                128,
                1024,
                10,
                32,
                7,
                cachePresent,
                0x8000_0900);
    }

    private static Bytes io() {
        return Native.written(4096, page -> ControllerPage.ROWS.put(facts(false, true), page));
    }

    private static Bytes discovery() {
        return Native.written(4096, page -> ControllerPage.ROWS.put(facts(true, false), page));
    }

    @Test
    void shouldNameTheSubsystemInPaddedText() {
        final Bytes c = io();
        assertThat(c.u32(0)).as("VID, SSVID").isZero();
        assertThat(c.text(4, 20)).as("SN").isEqualTo("S1" + " ".repeat(18));
        assertThat(c.text(24, 40)).as("MN").isEqualTo("Model" + " ".repeat(35));
        assertThat(c.text(64, 8)).as("FR").isEqualTo("0.1     ");
        assertThat(c.text(768, NQN.length())).as("SUBNQN").isEqualTo(NQN);
        assertThat(c.isZero(768 + NQN.length(), 256 - NQN.length())).isTrue();
    }

    @Test
    void shouldSayWhatTheKernelInsistsOn() {
        final Bytes c = io();
        assertThat(c.u16(78)).as("CNTLID").isEqualTo(0xFEED);
        assertThat(c.u32(80)).as("VER").isEqualTo(0x20000);
        assertThat(c.u16(320)).as("KAS").isEqualTo(10);
        assertThat(c.u8(512)).as("SQES").isEqualTo(0x66);
        assertThat(c.u8(513)).as("CQES").isEqualTo(0x44);
        assertThat(c.u16(514)).as("MAXCMD").isEqualTo(128);
        assertThat(c.u32(516)).as("NN").isEqualTo(1024);
        assertThat(c.u32(1792)).as("IOCCSZ").isEqualTo((64 + 8192) / 16);
        assertThat(c.u32(1796)).as("IORCSZ").isEqualTo(1);
        assertThat(c.u16(1800)).as("ICDOFF").isZero();
        assertThat(c.u8(1802)).as("FCATT").isZero();
        assertThat(c.u8(1803)).as("MSDBD").isEqualTo(1);
        assertThat(c.u16(1804)).as("OFCS").isEqualTo(1);
        final long sgls = c.u32(536);
        assertThat(sgls & 3).as("SGLS supported").isEqualTo(1);
        assertThat(sgls & 4).as("keyed").isZero();
        assertThat(sgls >>> 18 & 1).as("longer than the data").isZero();
        assertThat(sgls >>> 20 & 1).as("in-capsule offset").isEqualTo(1);
        assertThat(sgls >>> 21 & 1).as("transport data block").isEqualTo(1);
    }

    @Test
    void shouldSayWhatItCanDoAndNoMore() {
        final Bytes c = io();
        assertThat(c.u8(77)).as("MDTS").isEqualTo(8);
        assertThat(c.u8(76)).as("CMIC").isEqualTo(0x0B);
        assertThat(c.u32(92)).as("OAES").isEqualTo(0x8000_0900L);
        assertThat(c.u32(96)).as("CTRATT").isEqualTo(0x41);
        assertThat(c.u8(111)).as("CNTRLTYPE").isEqualTo(1);
        assertThat(c.u16(256)).as("OACS").isZero();
        assertThat(c.u8(258)).as("ACL").isEqualTo(3);
        assertThat(c.u8(259)).as("AERL").isEqualTo(3);
        assertThat(c.u8(260)).as("FRMW").isEqualTo(3);
        assertThat(c.u8(261)).as("LPA").isEqualTo(6);
        assertThat(c.u8(262)).as("ELPE").isEqualTo(63);
        assertThat(c.u8(342)).as("ANATT").isPositive();
        assertThat(c.u8(343)).as("ANACAP").isEqualTo(0x5F);
        assertThat(c.u32(344)).as("ANAGRPMAX").isEqualTo(32);
        assertThat(c.u32(348)).as("NANAGRPID").isEqualTo(7);
        assertThat(c.u16(520)).as("ONCS").isEqualTo(0x9D);
        assertThat(c.u16(520) & 0x20).as("reservations").isZero();
        assertThat(c.u16(522)).as("FUSES").isEqualTo(1);
        assertThat(c.u8(525)).as("VWC").isEqualTo(7);
        assertThat(c.u16(528)).as("AWUPF").isZero();
        assertThat(c.u16(532)).as("ACWU").isEqualTo(255);
        assertThat(c.u32(540)).as("MNAN").isEqualTo(1024);
    }

    @Test
    void shouldDenyACacheWhereEveryWriteIsDurableButTakeFlushesOfAllNamespaces() {
        final Bytes c = Native.written(4096, page -> ControllerPage.ROWS.put(facts(false, false), page));
        assertThat(c.u8(525)).isEqualTo(6);
    }

    @Test
    void shouldClaimNoNamespacesOnADiscoveryController() {
        final Bytes c = discovery();
        assertThat(c.u8(111)).as("CNTRLTYPE").isEqualTo(2);
        assertThat(c.u16(78)).as("CNTLID").isEqualTo(0xFEED);
        assertThat(c.u8(77)).as("MDTS").isEqualTo(8);
        assertThat(c.u8(261)).as("LPA").isEqualTo(4);
        assertThat(c.u16(320)).as("KAS").isEqualTo(10);
        assertThat(c.u8(76)).as("CMIC").isZero();
        assertThat(c.u32(516)).as("NN").isZero();
        assertThat(c.u16(520)).as("ONCS").isZero();
        assertThat(c.u8(525)).as("VWC").isZero();
        assertThat(c.u32(1792)).as("IOCCSZ").isZero();
        assertThat(c.u16(514)).as("MAXCMD").isEqualTo(128);
        assertThat(c.u32(536) & 3).as("SGLS").isEqualTo(1);
        assertThat(c.u8(1806)).as("DCTYPE").isEqualTo(1);
    }
}
