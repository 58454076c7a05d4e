// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends: cases N34, N38, N57, N59. Namespace 1 has 2048 blocks of 512 bytes. */
class EndCasesTest {
    private static final int WRITE = 1;
    private static final int READ = 2;
    private static final int HALF = 65_536;
    private LiveTarget target;

    @BeforeEach
    void start() {
        target = LiveTarget.small();
    }

    @AfterEach
    void stop() {
        target.awaitNothingLeft();
        target.close();
    }

    /** A 128 KiB write of which half was sent. */
    private static void writeHalf(final RawQueue queue) {
        queue.wire()
                .send(PduBuilder.capsule(SqeBuilder.io(WRITE, 1, 0, 256).cid(5).sgl(SqeBuilder.TRANSPORT, 2 * HALF)));
        final RawPdu r2t = queue.expectR2t(5);
        final byte[] pdu = PduBuilder.h2cData(5, r2t.u16(10), 0, Blocks.filled(2 * HALF, 0xFF))
                .bytes();
        queue.wire().sendBytes(Arrays.copyOf(pdu, 24 + HALF));
    }

    @ParameterizedTest
    @DisplayName("N57: should keep nothing and write nothing when connections are cut in the middle of data")
    @ValueSource(strings = {"reset", "end", "admin first", "terminate"})
    void shouldKeepNothingWhenConnectionsAreCutInTheMiddleOfData(final String how) {
        final byte[] old = Blocks.random(2 * HALF, 57);
        try (RawInitiator good = target.raw()) {
            final RawQueue io = good.queue(1, 8);
            RawInitiator.write(io, 1, 0, 256, old);
            for (int round = 0; round < 25; round++) {
                final RawInitiator bad = target.raw();
                final RawQueue[] queues = {bad.queue(1, 8), bad.queue(2, 8), bad.queue(3, 8)};
                for (final RawQueue queue : queues) {
                    writeHalf(queue);
                }
                switch (how) {
                    case "reset" ->
                        Arrays.stream(queues).forEach(queue -> queue.wire().reset());
                    case "end" ->
                        Arrays.stream(queues).forEach(queue -> queue.wire().shutdownSend());
                    case "admin first" -> bad.admin().wire().reset();
                    default -> bad.admin().wire().send(PduBuilder.termReq(1, 4, new byte[8]));
                }
                if (!"end".equals(how)) {
                    bad.admin().close();
                }
                if (round % 2 == 0 || !"admin first".equals(how)) {
                    bad.close();
                } else {
                    Arrays.stream(queues).forEach(queue -> queue.wire().expectClosed());
                    bad.close();
                }
                assertThat(RawInitiator.read(io, 1, 0, 256, 512)).isEqualTo(old);
            }
        }
        target.awaitNothingLeft();
    }

    @Test
    @DisplayName("N34: should end an association whose host says nothing for longer than its Keep Alive time")
    void shouldEndAnAssociationWhoseHostSaysNothing() {
        try (RawInitiator host = target.raw(RawOptions.PLAIN.keepAlive(1_000))) {
            final RawQueue io = host.queue(1, 8).patience(Duration.ofSeconds(20));
            writeHalf(io);
            io.wire().expectClosed();
            host.admin().patience(Duration.ofSeconds(20)).wire().expectClosed();
        }
        assertThat(target.lines()).anyMatch(line -> line.contains("silent"));
    }

    @Test
    @DisplayName("N34: should keep an association alive by its traffic alone")
    void shouldKeepAnAssociationAliveByItsTraffic() {
        try (RawInitiator host = target.raw(RawOptions.PLAIN.keepAlive(2_000))) {
            final RawQueue io = host.queue(1, 8);
            final long untilNs = System.nanoTime() + 5_000_000_000L;
            while (System.nanoTime() < untilNs) {
                assertThat(RawInitiator.read(io, 1, 0, 1, 512)).hasSize(512);
            }
        }
    }

    @Test
    @DisplayName(
            "N59: should finish or refuse what runs while its namespace is removed, and never reach the old one again")
    void shouldFinishOrRefuseWhatRunsWhileItsNamespaceIsRemoved() throws NamespaceException {
        final byte[] old = Blocks.filled(4096, 0x59);
        try (RawInitiator host = target.raw()) {
            final RawQueue io = host.queue(1, 128);
            RawInitiator.write(io, 1, 0, 8, old);
            final int event = host.admin().submit(SqeBuilder.opcode(0x0C), null);
            final int[] cids = new int[127];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = i % 2 == 0
                        ? io.submit(SqeBuilder.io(READ, 1, 0, 8).sgl(SqeBuilder.TRANSPORT, 4096), null)
                        : io.submit(SqeBuilder.io(WRITE, 1, 0, 8), old);
                if (i == 60) {
                    target.subsystem().removeNamespace(1).close();
                }
            }
            for (final int cid : cids) {
                final RawAnswer answer = io.await(cid);
                assertThat(answer.code()).as(answer.toString()).isIn(0, 0x00B);
                assertThat(answer.doNotRetry()).isEqualTo(answer.code() != 0);
            }
            final RawAnswer told = host.admin().await(event);
            assertThat(told.dword0() & 7).as("notice").isEqualTo(2);
            assertThat(told.dword0() >>> 8 & 0xFF)
                    .as("namespace attribute changed")
                    .isZero();

            target.add(1, "mem:1M", 512);
            await().untilAsserted(() ->
                    assertThat(RawInitiator.read(io, 1, 0, 8, 512)).containsOnly(0));
        }
    }

    @Test
    @DisplayName("N38: should tell of a new namespace, by its own event and by that of ANA where there is ANA")
    void shouldTellOfANewNamespace() {
        try (RawInitiator host = target.raw()) {
            final RawQueue admin = host.admin();
            final byte[] page = admin.command(SqeBuilder.identify(1, 0)).data();
            final boolean ana = (page[76] & 8) != 0;
            final int first = admin.submit(SqeBuilder.opcode(0x0C), null);
            final int second = admin.submit(SqeBuilder.opcode(0x0C), null);
            target.add(2, "mem:1M", 512);
            assertThat(admin.await(first).dword0() & 0xFFFF07).isEqualTo(0x040002);
            if (ana) {
                assertThat(admin.await(second).dword0() & 0xFFFF07).isEqualTo(0x0C0302);
            }
            final byte[] changed =
                    admin.command(SqeBuilder.logPage(0x04, 4096, 0)).data();
            assertThat(RawPdu.little(changed).getInt(0)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("should shut down in order when the host asks")
    void shouldShutDownInOrderWhenTheHostAsks() {
        try (RawInitiator host = target.raw()) {
            host.queue(1, 8);
            host.set(0x14, RawInitiator.ENABLE | 0x4000);
            await().untilAsserted(() -> assertThat(host.get(0x1C, 4) >>> 2 & 3).isEqualTo(2));
        }
    }

    @Test
    @DisplayName("should close the I/O queues of a controller that is disabled")
    void shouldCloseTheIoQueuesOfAControllerThatIsDisabled() {
        try (RawInitiator host = target.raw()) {
            final RawQueue io = host.queue(1, 8);
            host.set(0x14, 0x0046_0000);
            io.wire().expectClosed();
            await().untilAsserted(() -> assertThat(host.get(0x1C, 4) & 1).isZero());
            host.enable();
            assertThat(RawInitiator.read(host.queue(1, 8), 1, 0, 1, 512)).hasSize(512);
        }
    }
}
