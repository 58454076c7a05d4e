// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A target with one subsystem, two loops and hosts on memory transports. */
final class Rig implements AutoCloseable {
    static final String NQN = "nqn.2026-01.io.example:a";
    static final long ENABLE = 0x0046_0001;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;

    final List<String> log = new ArrayList<>();
    final HandLoop loop = new HandLoop("first");
    final HandLoop other = new HandLoop("second");
    final Target target;
    final Subsystem subsystem;
    /** Told of each line while it is written. */
    Consumer<String> whenLogged = line -> {};

    private final List<MemoryTransport> transports = new ArrayList<>();

    Rig() {
        this(TargetOptions.DEFAULTS);
    }

    Rig(final TargetOptions options) {
        target = new Target(options, line -> {
            log.add(line);
            whenLogged.accept(line);
        });
        subsystem = target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost());
    }

    /** A connection on the first loop. */
    MemoryTransport open() {
        return open(loop);
    }

    MemoryTransport open(final HandLoop on) {
        final MemoryTransport transport = new MemoryTransport(target, on);
        transports.add(transport);
        return transport;
    }

    /** Sends a Connect with its data in the capsule. */
    static SentCommand connect(final MemoryTransport on, final SqeBuilder sqe, final ConnectData data) {
        return on.send(sqe.sgl(SqeBuilder.IN_CAPSULE, 1024), data.bytes());
    }

    /** An admin queue that is connected, its controller enabled. */
    MemoryTransport admin() {
        return admin(NQN, 0);
    }

    MemoryTransport admin(final String nqn, final long keepAliveMs) {
        final MemoryTransport admin = open();
        connect(admin, SqeBuilder.connect(0, 31, 0, keepAliveMs), new ConnectData(nqn));
        enable(admin);
        return admin;
    }

    static void enable(final MemoryTransport admin) {
        admin.send(SqeBuilder.propertySet(CC, ENABLE));
    }

    static long get(final MemoryTransport admin, final int property) {
        return admin.send(SqeBuilder.propertyGet(property, 4)).result();
    }

    /** The controller of an admin queue. */
    static Controller controller(final MemoryTransport admin) {
        return ((TargetQueue) admin.queue()).controller();
    }

    /** Tries an I/O queue. */
    SentCommand connectIo(final MemoryTransport on, final Controller controller, final int qid) {
        return connect(on, SqeBuilder.connect(qid, 31, 0, 0), new ConnectData(NQN).controllerId(controller.id()));
    }

    /** An I/O queue that is connected. */
    MemoryTransport io(final HandLoop on, final Controller controller, final int qid) {
        final MemoryTransport io = open(on);
        final SentCommand connect = connectIo(io, controller, qid);
        if (connect.status() != Status.SUCCESS) {
            throw new AssertionError("Connect failed: " + Integer.toHexString(connect.status()));
        }
        return io;
    }

    /** Runs both loops until nothing is left to do. */
    void turn() {
        for (int i = 0; i < 4; i++) {
            loop.turn();
            other.turn();
        }
    }

    void advanceMs(final long milliseconds) {
        loop.advanceMs(milliseconds);
        other.advanceMs(milliseconds);
        turn();
    }

    @Override
    public void close() {
        transports.forEach(MemoryTransport::lose);
        turn();
        transports.forEach(MemoryTransport::close);
        loop.close();
        other.close();
    }
}
