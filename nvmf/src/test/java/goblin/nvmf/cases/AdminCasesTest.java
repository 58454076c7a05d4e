// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Admin commands: cases N33, N36, N42 to N45. */
class AdminCasesTest {
    private static final int INVALID_FIELD = 0x002;
    private static final int INVALID_NAMESPACE = 0x00B;
    private static final int INVALID_LOG_PAGE = 0x109;
    private static LiveTarget target;

    private RawInitiator host;
    private RawQueue admin;

    @BeforeAll
    static void start() {
        target = LiveTarget.small().add(3, "mem:1M", 4096).add(7, "null:1M", 512);
    }

    @AfterAll
    static void stop() {
        target.awaitNothingLeft();
        target.close();
    }

    @BeforeEach
    void connect() {
        host = target.raw();
        admin = host.admin();
    }

    @AfterEach
    void disconnect() {
        host.close();
    }

    private byte[] identify(final int cns, final int nsid) {
        final RawAnswer answer = admin.command(SqeBuilder.identify(cns, nsid));
        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(answer.data()).hasSize(4096);
        return answer.data();
    }

    private ByteBuffer page(final int cns, final int nsid) {
        return RawPdu.little(identify(cns, nsid));
    }

    private int identifyCode(final int cns, final int nsid) {
        return admin.command(SqeBuilder.identify(cns, nsid)).code();
    }

    @ParameterizedTest
    @DisplayName("N33: should take any Keep Alive time on a discovery controller and answer Keep Alive and its log")
    @ValueSource(longs = {0, 15_000, 30_000})
    void shouldTakeAnyKeepAliveTimeOnADiscoveryController(final long keepAliveMs) {
        try (RawInitiator discovery =
                RawInitiator.connect(target.address(), LiveTarget.DISCOVERY, RawOptions.PLAIN.keepAlive(keepAliveMs))) {
            discovery.set(0x14, RawInitiator.ENABLE);
            assertThat(discovery.admin().command(SqeBuilder.opcode(0x18)).status())
                    .isZero();
            for (int i = 0; i < 20; i++) {
                final RawAnswer log = discovery.admin().command(SqeBuilder.logPage(0x70, 1024, 0));
                assertThat(log.status()).as(log.toString()).isZero();
                assertThat(log.data()).hasSize(1024);
            }
        }
    }

    @Test
    @DisplayName("N36: should let event requests wait up to the limit, refuse one more, and give one back by Abort")
    void shouldLetEventRequestsWaitUpToTheLimit() {
        final int limit = (identify(1, 0)[259] & 0xFF) + 1;
        final List<Integer> waiting = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            waiting.add(admin.submit(SqeBuilder.opcode(0x0C), null));
        }
        assertThat(admin.command(SqeBuilder.opcode(0x0C)).code()).isEqualTo(0x105);
        waiting.forEach(cid -> assertThat(admin.answered(cid)).isFalse());

        final int aborted = waiting.getLast();
        final RawAnswer abort = admin.command(SqeBuilder.opcode(0x08).dword(10, (long) aborted << 16));
        assertThat(abort.status()).isZero();
        assertThat(abort.dword0() & 1).as("not aborted").isZero();
        assertThat(admin.await(aborted).code()).isEqualTo(0x007);

        final int another = admin.submit(SqeBuilder.opcode(0x0C), null);
        assertThat(admin.command(SqeBuilder.opcode(0x18)).status()).isZero();
        assertThat(admin.answered(another)).isFalse();
    }

    @Test
    @DisplayName("should say that a command it does not find was not aborted")
    void shouldSayThatACommandItDoesNotFindWasNotAborted() {
        final RawAnswer abort = admin.command(SqeBuilder.opcode(0x08).dword(10, 0x7777_0001L));
        assertThat(abort.status()).isZero();
        assertThat(abort.dword0() & 1).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("N42: should refuse log pages that a controller of I/O does not have")
    @ValueSource(ints = {0x70, 0x0B, 0x42, 0xC0, 0xFF})
    void shouldRefuseLogPagesThatAControllerOfIoDoesNotHave(final int page) {
        assertThat(admin.command(SqeBuilder.logPage(page, 512, 0)).code()).isEqualTo(INVALID_LOG_PAGE);
    }

    @ParameterizedTest
    @DisplayName("N42: should refuse log pages that a discovery controller does not have")
    @ValueSource(ints = {0x02, 0x05, 0x0C})
    void shouldRefuseLogPagesThatADiscoveryControllerDoesNotHave(final int page) {
        try (RawInitiator discovery = RawInitiator.connect(target.address(), LiveTarget.DISCOVERY, RawOptions.PLAIN)) {
            discovery.set(0x14, RawInitiator.ENABLE);
            assertThat(discovery
                            .admin()
                            .command(SqeBuilder.logPage(page, 512, 0))
                            .code())
                    .isEqualTo(INVALID_LOG_PAGE);
        }
    }

    @Test
    @DisplayName("N43: should say of the controller all that Linux insists on")
    void shouldSayOfTheControllerAllThatLinuxInsistsOn() {
        final byte[] bytes = identify(1, 0);
        final ByteBuffer page = RawPdu.little(bytes);
        assertThat(page.getShort(78) & 0xFFFF).as("CNTLID").isEqualTo(host.controllerId());
        assertThat(page.getShort(320)).as("KAS").isNotZero();
        assertThat(page.getShort(514)).as("MAXCMD").isNotZero();
        assertThat(page.get(512)).as("SQES").isEqualTo((byte) 0x66);
        assertThat(page.get(513)).as("CQES").isEqualTo((byte) 0x44);
        assertThat(page.getInt(516)).as("NN").isGreaterThanOrEqualTo(7);
        assertThat(page.getInt(536) & 3).as("SGLS").isNotZero();
        assertThat(page.getInt(536) & 4).as("SGLS: keyed").isZero();
        assertThat(page.getInt(1792)).as("IOCCSZ").isEqualTo((64 + 8192) / 16);
        assertThat(page.getInt(1796)).as("IORCSZ").isGreaterThanOrEqualTo(1);
        assertThat(page.getShort(1800)).as("ICDOFF").isZero();
        assertThat(page.get(111)).as("CNTRLTYPE").isEqualTo((byte) 1);

        final String name = new String(Blocks.part(bytes, 768, 256), UTF_8);
        assertThat(name).startsWith(LiveTarget.SUBSYSTEM + '\0').endsWith("\0");
        for (final String text : List.of(text(bytes, 4, 20), text(bytes, 24, 40), text(bytes, 64, 8))) {
            assertThat(text).matches("[!-~][ -~]*").doesNotContain("\0");
        }
    }

    private static String text(final byte[] bytes, final int at, final int length) {
        return new String(bytes, at, length, US_ASCII);
    }

    @ParameterizedTest
    @DisplayName("N43: should refuse what it does not know of Identify instead of answering zeros")
    @ValueSource(ints = {0x04, 0x09, 0x10, 0x16, 0x1D, 0xFF})
    void shouldRefuseWhatItDoesNotKnowOfIdentify(final int cns) {
        final RawAnswer answer = admin.command(SqeBuilder.identify(cns, 1));
        assertThat(answer.code()).isEqualTo(INVALID_FIELD);
        assertThat(answer.doNotRetry()).isTrue();
    }

    @Test
    @DisplayName("N44: should give each namespace identifiers of its own that agree with each other")
    void shouldGiveEachNamespaceIdentifiersOfItsOwn() {
        final Set<ByteBuffer> seen = new HashSet<>();
        for (final int nsid : new int[] {1, 3, 7}) {
            final byte[] list = identify(3, nsid);
            final byte[] page = identify(0, nsid);
            byte[] uuid = {};
            byte[] nguid = {};
            int at = 0;
            while (list[at] != 0) {
                final byte[] id = Blocks.part(list, at + 4, list[at + 1] & 0xFF);
                // Type 4 is the command set, and NVM is 0.
                assertThat(list[at] == 4 || !Arrays.equals(id, new byte[id.length]))
                        .as("identifier of type " + list[at])
                        .isTrue();
                uuid = list[at] == 3 ? id : uuid;
                nguid = list[at] == 2 ? id : nguid;
                at += 4 + id.length;
            }
            assertThat(Blocks.part(list, at, 4)).containsOnly(0);
            assertThat(uuid).hasSize(16);
            assertThat(nguid).hasSize(16).isEqualTo(Blocks.part(page, 104, 16));
            assertThat(seen.add(ByteBuffer.wrap(uuid))).as("UUID is its own").isTrue();
            assertThat(Arrays.equals(nguid, uuid) || seen.add(ByteBuffer.wrap(nguid)))
                    .as("NGUID is its own")
                    .isTrue();
        }
    }

    @Test
    @DisplayName("N44: should keep identifiers over connections")
    void shouldKeepIdentifiersOverConnections() {
        final byte[] first = identify(3, 1);
        try (RawInitiator other = target.raw()) {
            assertThat(other.admin().command(SqeBuilder.identify(3, 1)).data()).isEqualTo(first);
        }
    }

    @Test
    @DisplayName("N45: should answer Identify on odd namespace identifiers as the specification wants it")
    void shouldAnswerIdentifyOnOddNamespaceIdentifiers() {
        final int highest = page(1, 0).getInt(516);
        if (highest >= 8) {
            assertThat(identify(0, 8)).as("inactive").containsOnly(0);
        }
        assertThat(identifyCode(0, 0)).isEqualTo(INVALID_NAMESPACE);
        assertThat(identifyCode(0, 0xFFFF_FFFE)).isEqualTo(INVALID_NAMESPACE);
        assertThat(identifyCode(3, 0)).isEqualTo(INVALID_NAMESPACE);
        assertThat(identifyCode(3, 2)).isEqualTo(INVALID_NAMESPACE);
        assertThat(identifyCode(2, 0xFFFF_FFFE)).isEqualTo(INVALID_NAMESPACE);
        assertThat(identifyCode(2, 0xFFFF_FFFF)).isEqualTo(INVALID_NAMESPACE);
    }

    @Test
    @DisplayName("N45: should list the namespaces behind one, rising, with zeros at the end")
    void shouldListTheNamespacesBehindOne() {
        assertThat(list(0)).containsExactly(1, 3, 7, 0);
        assertThat(list(1)).containsExactly(3, 7, 0, 0);
        assertThat(list(6)).containsExactly(7, 0, 0, 0);
        assertThat(list(7)).containsExactly(0, 0, 0, 0);
    }

    private List<Integer> list(final int after) {
        final ByteBuffer page = page(2, after);
        return List.of(page.getInt(0), page.getInt(4), page.getInt(8), page.getInt(12));
    }

    @ParameterizedTest
    @DisplayName("should refuse admin commands that it does not have")
    @ValueSource(ints = {0x00, 0x01, 0x04, 0x05, 0x0D, 0x10, 0x7E, 0xC0})
    void shouldRefuseAdminCommandsItDoesNotHave(final int opcode) {
        assertThat(admin.command(SqeBuilder.opcode(opcode)).code()).isEqualTo(0x001);
    }
}
