// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import goblin.nvmf.namespace.HeldStore;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A connection that ends at any byte of its commands, in any way, while storage does not have them yet, has them, or is
 * done: of each write storage has all or nothing, others read what they wrote, and all memory comes back, which is
 * overwritten then. {@code -Dgoblin.teardown.all=true} tries every way at every byte.
 */
class TeardownTest {
    private static final String NQN = "nqn.2026-01.io.example:teardown";
    private static final boolean ALL = Boolean.getBoolean("goblin.teardown.all");
    private static final int BLOCK = 512;
    private static final int STORE_BYTES = 256 * BLOCK;
    private static final int STATUS_CODE = 0x7FF;
    private static final long KEEP_ALIVE_MS = 1_000;

    // Where each command works; identifiers are 1 and on.
    private static final int IN_CAPSULE_AT = 0;
    private static final int ASKED_AT = 8;
    private static final int COMPARED_AT = 16;
    private static final int FUSED_AT = 24;
    private static final int READ_AT = 32;
    private static final int READ_BLOCKS = 16;

    enum End {
        FIN,
        RESET,
        OURS,
        ADMIN_LOST,
        KEEP_ALIVE,
        DRAIN,
        REMOVED
    }

    enum Storage {
        DONE,
        STARTED,
        QUEUED
    }

    private final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
    private final Subsystem subsystem =
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost());
    private final HeldStore others = new HeldStore(STORE_BYTES, BLOCK);
    private HeldStore store;
    private MemoryRig rig;
    private CutHost witness;
    private int rounds;
    private int nextCid = 1;

    @ParameterizedTest(name = "digests {0}, path {1}")
    @DisplayName("should give each buffer back after its last user, wherever and however a connection ends")
    @CsvSource({"false, LENT", "true, LENT", "false, COPIED"})
    void shouldGiveEachBufferBackAfterItsLastUser(final boolean digests, final ReceivePath path)
            throws NamespaceException {
        final long allocatedBefore = Memory.allocatedBytes();
        open(target::open, path);
        final int length = run(Integer.MAX_VALUE, End.FIN, Storage.DONE, digests);
        assertThat(length).isGreaterThan(6_000);
        int lot = 0;
        for (int cut = 0; cut <= length; cut++) {
            for (int i = 0; i < (ALL ? End.values().length * Storage.values().length : 1); i++) {
                // Odd strides, so that neighbours end differently and in the long run everything meets everything.
                lot += ALL ? 1 : 5;
                run(cut, End.values()[lot % 7], Storage.values()[lot / 7 % 3], digests);
            }
        }
        rig.close();
        assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
    }

    @ParameterizedTest(name = "path {0}")
    @DisplayName("should notice a target that gives back what storage still has")
    @EnumSource(
            value = ReceivePath.class,
            names = {"LENT", "COPIED"})
    void shouldNoticeATargetThatGivesBackWhatStorageStillHas(final ReceivePath path) throws NamespaceException {
        open(transport -> new HastyPair(transport, target::open), path);
        final int length = run(Integer.MAX_VALUE, End.FIN, Storage.DONE, false);
        for (final End end : new End[] {End.FIN, End.RESET, End.OURS}) {
            assertThatThrownBy(() -> run(length, end, Storage.STARTED, false)).hasMessageContaining("at storage");
        }
    }

    private void open(final Function<QueueTransport, QueuePair> opener, final ReceivePath path)
            throws NamespaceException {
        final TcpOptions options = TargetRig.options(64 * 1024, 64 * 1024, 8192, 0, 64 * 1024, 1 << 20);
        rig = new MemoryRig(path == ReceivePath.COPIED ? TargetRig.copied(options) : options, opener);
        subsystem.addNamespace(2, others, 1);
        addStore();
        associateWitness();
    }

    private void addStore() throws NamespaceException {
        store = new HeldStore(STORE_BYTES, BLOCK);
        subsystem.addNamespace(1, store, 1);
    }

    private void associateWitness() {
        witness = associate(false, 1448, 0)[1];
    }

    /** An admin queue and an I/O queue of a controller. */
    private CutHost[] associate(final boolean digests, final int piece, final long keepAliveMs) {
        final CutHost admin = new CutHost(rig.network.connect(rig.tcp), false, 1448);
        admin.connect(NQN, 0, 0xFFFF, keepAliveMs);
        exchange(admin);
        final int controller = (int) admin.result() & 0xFFFF;
        admin.command(SqeBuilder.propertySet(0x14, RawInitiator.ENABLE), 1, new byte[0]);
        exchange(admin);
        assertThat(admin.status(1)).isZero();
        final CutHost io = new CutHost(rig.network.connect(rig.tcp), digests, piece);
        io.connect(NQN, 1, controller, 0);
        exchange(io);
        assertThat(io.status(0)).isZero();
        return new CutHost[] {admin, io};
    }

    private void exchange(final CutHost host) {
        for (int i = 0; i < 4; i++) {
            rig.rest();
            host.takeSent();
        }
    }

    /** One connection from its commands to its end; returns how long its stream would have been. */
    private int run(final int cut, final End end, final Storage storage, final boolean digests)
            throws NamespaceException {
        final String what = "cut at " + cut + ", " + end + ", " + storage;
        reset();
        final CutHost[] hosts = associate(digests, 1 + (cut * 131) % 2_000, end == End.KEEP_ALIVE ? KEEP_ALIVE_MS : 0);
        final CutHost io = hosts[1];
        if (cut % 3 == 1) {
            io.wire().room(1 + cut % 700);
        }
        store.hold(storage != Storage.DONE);
        io.cutAfter(cut);
        submit(io);
        exchange(io);
        if (storage == Storage.STARTED) {
            store.startQueued();
        }
        end(hosts, end);
        rig.turns(8);
        // What was given back too early is used by others now.
        if (end != End.DRAIN) {
            useMemory(what);
        }
        store.startQueued();
        store.finishStarted();
        store.hold(false);
        exchange(io);
        io.takeRest();
        check(io, what);
        io.wire().end(MemoryNetwork.End.FIN);
        hosts[0].wire().end(MemoryNetwork.End.FIN);
        rig.rest();
        if (end == End.DRAIN) {
            rig.pass(Duration.ofSeconds(12));
            subsystem.resume();
            associateWitness();
        } else if (end == End.REMOVED) {
            addStore();
        }
        useMemory(what);
        checkNothingIsLeft(what);
        return io.sent();
    }

    private void reset() {
        for (int i = 0; i < STORE_BYTES; i++) {
            store.contents()[i] = old(i);
        }
        rounds++;
    }

    private static void submit(final CutHost io) {
        io.command(
                io(Opcode.WRITE, IN_CAPSULE_AT, 2).sgl(SqeBuilder.IN_CAPSULE, 2 * BLOCK), 1, fresh(IN_CAPSULE_AT, 2));
        io.command(io(Opcode.WRITE, ASKED_AT, 6).sgl(SqeBuilder.TRANSPORT, 6 * BLOCK), 2, fresh(ASKED_AT, 6));
        final byte[] same = new byte[2 * BLOCK];
        for (int i = 0; i < same.length; i++) {
            same[i] = old(COMPARED_AT * BLOCK + i);
        }
        io.command(io(Opcode.COMPARE, COMPARED_AT, 2).sgl(SqeBuilder.TRANSPORT, 2 * BLOCK), 3, same);
        final byte[] compared = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            compared[i] = old(FUSED_AT * BLOCK + i);
        }
        io.command(io(Opcode.COMPARE, FUSED_AT, 1).u8(1, 0x41).sgl(SqeBuilder.IN_CAPSULE, BLOCK), 4, compared);
        io.command(io(Opcode.WRITE, FUSED_AT, 1).u8(1, 0x42).sgl(SqeBuilder.IN_CAPSULE, BLOCK), 5, fresh(FUSED_AT, 1));
        io.command(
                io(Opcode.READ, READ_AT, READ_BLOCKS).sgl(SqeBuilder.TRANSPORT, READ_BLOCKS * BLOCK), 6, new byte[0]);
    }

    private void end(final CutHost[] hosts, final End end) throws NamespaceException {
        switch (end) {
            case FIN -> hosts[1].wire().end(MemoryNetwork.End.FIN);
            case RESET -> hosts[1].wire().end(MemoryNetwork.End.RESET);
            case OURS -> ((TcpQueue) hosts[1].wire().handler()).end(null);
            case ADMIN_LOST -> hosts[0].wire().end(MemoryNetwork.End.RESET);
            case KEEP_ALIVE -> rig.pass(Duration.ofSeconds(3));
            case DRAIN -> subsystem.drain("a test", () -> {});
            case REMOVED -> subsystem.removeNamespace(1);
        }
    }

    /** Another host writes and reads as much as fits into the arena. */
    private void useMemory(final String what) {
        final byte[] data = new byte[32 * BLOCK];
        Arrays.fill(data, (byte) (1 + rounds % 100));
        final int write = nextCid++ % 1000;
        final int read = nextCid++ % 1000;
        witness.command(io(Opcode.WRITE, 0, 32).nsid(2).sgl(SqeBuilder.TRANSPORT, data.length), write, data);
        exchange(witness);
        final int before = witness.read(read).length;
        witness.command(io(Opcode.READ, 0, 32).nsid(2).sgl(SqeBuilder.TRANSPORT, data.length), read, new byte[0]);
        exchange(witness);
        final byte[] all = witness.read(read);
        assertThat(witness.status(write)).as(what).isZero();
        assertThat(Arrays.copyOfRange(all, before, all.length)).as(what).isEqualTo(data);
    }

    private void check(final CutHost io, final String what) {
        assertThat(store.faults()).as(what).isEmpty();
        assertThat(store.pending()).as(what).isZero();
        checkWrite(io, 1, IN_CAPSULE_AT, 2, what);
        checkWrite(io, 2, ASKED_AT, 6, what);
        checkWrite(io, 5, FUSED_AT, 1, what);
        assertThat(io.status(3) & STATUS_CODE).as("compare, " + what).isNotEqualTo(Status.COMPARE_FAILURE);
        assertThat(io.status(4) & STATUS_CODE).as("fused compare, " + what).isNotEqualTo(Status.COMPARE_FAILURE);
        final byte[] read = io.read(6);
        for (int i = 0; i < read.length; i++) {
            if (read[i] != old(READ_AT * BLOCK + i)) {
                throw new AssertionError(what + ": byte " + i + " that was read is " + (read[i] & 0xFF));
            }
        }
    }

    private void checkWrite(final CutHost io, final int cid, final int first, final int blocks, final String what) {
        final byte[] fresh = fresh(first, blocks);
        final byte[] now = Arrays.copyOfRange(store.contents(), first * BLOCK, (first + blocks) * BLOCK);
        final boolean isOld = now[0] == old(first * BLOCK);
        for (int i = 0; i < now.length; i++) {
            if (now[i] != (isOld ? old(first * BLOCK + i) : fresh[i])) {
                throw new AssertionError(
                        what + ": byte " + i + " of the write at " + first + " is " + (now[i] & 0xFF) + " at storage");
            }
        }
        assertThat(isOld || io.arrivedWhole(cid))
                .as("a write that did not arrive, " + what)
                .isTrue();
        assertThat(!isOld || io.status(cid) != 0)
                .as("a write that was done, " + what)
                .isTrue();
    }

    private void checkNothingIsLeft(final String what) {
        // A host that takes nothing any more has its grace.
        for (int i = 0; i < 8 && rig.tcp.queues().size() > 2; i++) {
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(rig.tcp.queues().size()).as("connections, " + what).isEqualTo(2);
        assertThat(rig.tcp.usedBytes()).as("arena, " + what).isZero();
        assertThat(rig.network.lentBytes()).as("segments, " + what).isZero();
        assertThat(subsystem.controllers()).as("controllers, " + what).hasSize(1);
    }

    private static SqeBuilder io(final int opcode, final int first, final int blocks) {
        return SqeBuilder.io(opcode, 1, first, blocks);
    }

    /** What a write brings: no byte of it is stored before, or is what memory that came back is filled with. */
    private static byte[] fresh(final int first, final int blocks) {
        final byte[] bytes = new byte[blocks * BLOCK];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (1 + (first * 7 + i * 3) % 0x7F);
        }
        return bytes;
    }

    private static byte old(final int at) {
        return (byte) (0x80 + (at * 5 + at / BLOCK) % 0x40);
    }
}
