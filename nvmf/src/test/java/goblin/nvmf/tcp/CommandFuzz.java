// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Hosts that say anything to a whole target: some connections that were set up well as far as the target of the fuzzer
 * wants, then commands right and wrong, data asked for or not, time, changes, noise, ends. The target must answer in legal
 * PDUs, must not fail, and nothing of the hosts may be left at the end.
 */
final class CommandFuzz {
    /** How far connections are set up before the fuzzer's own choices begin. */
    enum Depth {
        /** Opened; Connect is still to come. */
        FABRICS,
        /** An enabled controller. */
        ADMIN,
        /** An I/O queue. */
        IO
    }

    private static final int MOST_STEPS = 60;
    private static final int MOST_HOSTS = 4;
    private static final int CC = 0x14;
    private static final long ENABLE = 0x0046_0001;

    private static final int[] ADMIN = {
        Opcode.IDENTIFY,
        Opcode.GET_LOG_PAGE,
        Opcode.GET_FEATURES,
        Opcode.SET_FEATURES,
        Opcode.ABORT,
        Opcode.ASYNC_EVENT_REQUEST,
        Opcode.KEEP_ALIVE
    };
    private static final int[] IO = {
        Opcode.WRITE,
        Opcode.READ,
        Opcode.FLUSH,
        Opcode.COMPARE,
        Opcode.WRITE_ZEROES,
        Opcode.DATASET_MANAGEMENT,
        Opcode.VERIFY
    };
    private static final int[] FABRICS = {
        Opcode.FABRICS_CONNECT,
        Opcode.FABRICS_PROPERTY_GET,
        Opcode.FABRICS_PROPERTY_SET,
        Opcode.FABRICS_DISCONNECT,
        Opcode.FABRICS_AUTHENTICATION_SEND,
        Opcode.FABRICS_AUTHENTICATION_RECEIVE
    };

    private final String name;
    private final Depth depth;
    private final StateCounts states = new StateCounts();
    private FuzzTarget target;

    private final List<FuzzHost> hosts = new ArrayList<>();
    private FuzzHost host;
    private FuzzInput input;
    private int cutting;
    private int nextCid;
    private int admin;

    CommandFuzz(final String name, final Depth depth) {
        this.name = name;
        this.depth = depth;
    }

    void run(final byte[] bytes) {
        if (target == null) {
            target = new FuzzTarget();
        }
        input = new FuzzInput(bytes);
        nextCid = 0;
        admin = 0xFFFF;
        final int options = input.octet();
        cutting = input.octet();
        try {
            open(options);
            if (depth != Depth.FABRICS) {
                enableController();
            }
            if (depth == Depth.IO) {
                open(options);
                connect(1, admin);
            }
            for (int i = 0; i < MOST_STEPS && !input.isEmpty(); i++) {
                step(options);
                turn();
            }
            target.hold(false);
            turn();
            hosts.forEach(FuzzHost::check);
        } finally {
            for (final FuzzHost each : hosts) {
                each.wire().end(input.octet() % 2 == 0 ? MemoryNetwork.End.FIN : MemoryNetwork.End.RESET);
            }
            turn();
            hosts.forEach(FuzzHost::close);
            hosts.clear();
        }
        target.shouldBeEmpty();
    }

    void report() {
        states.print(name);
    }

    // ---- set-up

    private void open(final int options) {
        host = new FuzzHost(target.connect(), (options & 1) != 0, (options & 2) != 0, (1 << (options >> 2 & 3)) - 1);
        // Some hosts take little at a time.
        host.wire().room((options & 0x30) == 0 ? Long.MAX_VALUE : 1 + (options >> 4 & 3) * 700L);
        hosts.add(host);
        send(host.opening());
        turn();
    }

    private void enableController() {
        connect(0, 0xFFFF);
        admin = host.controllerId();
        command(SqeBuilder.propertySet(CC, ENABLE), new byte[0]);
        turn();
    }

    private void connect(final int qid, final int controller) {
        command(
                SqeBuilder.connect(qid, 31, input.octet() & 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024),
                new ConnectData(FuzzTarget.NQN).controllerId(controller).bytes());
        turn();
    }

    // ---- steps

    private void step(final int options) {
        switch (input.octet() & 0x1F) {
            case 0 -> {
                host.noise();
                send(input.take(input.octet()));
            }
            case 1 -> answer();
            case 2 -> answer();
            case 3 -> answerWrongly();
            case 4 -> target.advanceMs(input.octet() * 100L);
            case 5 -> host = hosts.get(input.octet() % hosts.size());
            case 6 -> {
                if (hosts.size() < MOST_HOSTS) {
                    open(options);
                }
            }
            case 7 -> host.wire().end(input.octet() % 2 == 0 ? MemoryNetwork.End.FIN : MemoryNetwork.End.RESET);
            case 8 -> {
                host.noise();
                send(Pdus.termReq(PduType.H2C_TERM_REQ, input.octet(), input.dword(), new byte[input.octet() & 0x7F]));
            }
            case 9 -> target.change(input.octet());
            case 10 -> connect(input.octet() & 3, admin);
            case 11, 12, 13 -> fabrics();
            case 14, 15, 16 -> command(ADMIN);
            case 17 -> target.hold(input.octet() % 2 == 0);
            default -> {
                if (depth == Depth.IO) {
                    command(IO);
                } else if (depth == Depth.ADMIN) {
                    command(ADMIN);
                } else {
                    fabrics();
                }
            }
        }
    }

    private void fabrics() {
        final int type = FABRICS[input.octet() % FABRICS.length];
        if (type == Opcode.FABRICS_CONNECT) {
            final byte[] data = new ConnectData(FuzzTarget.NQN)
                    .controllerId(input.octet() % 2 == 0 ? admin : 0xFFFF)
                    .bytes();
            for (int changes = input.octet() & 3; changes > 0; changes--) {
                data[input.word() % data.length] = (byte) input.octet();
            }
            final int length = input.octet() < 16 ? input.word() % 8193 : data.length;
            command(
                    changed(SqeBuilder.connect(input.octet() & 3, 31, input.octet() & 4, input.word() & 0x3FFF)
                            .sgl(SqeBuilder.IN_CAPSULE, length)),
                    Arrays.copyOf(data, length));
        } else if (type == Opcode.FABRICS_PROPERTY_GET) {
            command(changed(SqeBuilder.propertyGet(input.octet() & 0x7C, (input.octet() & 1) * 4 + 4)), new byte[0]);
        } else if (type == Opcode.FABRICS_PROPERTY_SET) {
            command(changed(SqeBuilder.propertySet(input.octet() & 0x7C, input.dword() & 0xFFFF_FFFFL)), new byte[0]);
        } else {
            withData(changed(SqeBuilder.fabrics(type)));
        }
    }

    private void command(final int[] opcodes) {
        final int choice = input.octet();
        final int opcode = choice == 0xFF ? input.octet() : opcodes[choice % opcodes.length];
        final int parameter = input.octet();
        final SqeBuilder sqe = opcodes == IO
                ? SqeBuilder.io(opcode, (parameter & 0x80) == 0 ? 1 : 3, input.octet() * 8L, 1 + (parameter & 0x7F))
                : SqeBuilder.opcode(opcode)
                        .dword(10, parameter | input.word() << 16)
                        .dword(11, input.octet());
        withData(changed(sqe));
    }

    /** Gives a command one of the descriptors there are, its data in the capsule if it says so. */
    private void withData(final SqeBuilder sqe) {
        final int blocks = (sqe.bytes()[48] & 0xFF) + 1;
        switch (input.octet() & 7) {
            case 0 -> command(sqe, new byte[0]);
            case 1, 2 -> {
                final int length = Math.min(blocks * FuzzTarget.BLOCK_BYTES, 8192);
                command(sqe.sgl(SqeBuilder.IN_CAPSULE, length), new byte[length]);
            }
            case 3, 4 -> command(sqe.sgl(SqeBuilder.TRANSPORT, (long) blocks * FuzzTarget.BLOCK_BYTES), new byte[0]);
            case 5 -> command(sqe.sgl(SqeBuilder.TRANSPORT, 4096), new byte[0]);
            case 6 -> command(sqe.sgl(SqeBuilder.TRANSPORT, input.word() * 4L), new byte[0]);
            default -> {
                final int length = input.octet() * 16;
                command(sqe.sgl(input.octet() & 0x7F, length), input.octet() < 64 ? new byte[0] : new byte[length]);
            }
        }
    }

    /** Changes some bytes of an entry, rarely. */
    private SqeBuilder changed(final SqeBuilder sqe) {
        for (int changes = Math.max(0, (input.octet() & 7) - 4); changes > 0; changes--) {
            final int at = input.octet() & 0x3F;
            if (at != 2 && at != 3) {
                sqe.u8(at, input.octet());
            }
        }
        return sqe;
    }

    private void command(final SqeBuilder sqe, final byte[] data) {
        // Identifiers come again, most of them when they are free.
        final int cid = nextCid++ & 0x1F;
        final byte[] capsule = host.pdus().capsule(sqe.cid(cid).bytes(), data);
        final boolean damaged = data.length > 0 && input.octet() == 0xFF;
        if (damaged) {
            capsule[capsule.length - 1] ^= 1;
        }
        host.sent(cid, damaged && host.hasDataDigest());
        send(capsule);
    }

    // ---- data that was asked for

    private void answer() {
        final FuzzHost.Wanted wanted = host.next(true);
        if (wanted == null) {
            return;
        }
        // In one PDU or in several.
        final int most = input.octet() < 128 ? (int) wanted.length() : 4 * (1 + input.octet());
        for (long done = 0; done < wanted.length(); done += most) {
            final int length = (int) Math.min(most, wanted.length() - done);
            final int flags = done + length == wanted.length() ? CommonHeader.LAST : 0;
            send(data(wanted.cid(), wanted.tag(), flags, wanted.offset() + done, length));
        }
    }

    private void answerWrongly() {
        final FuzzHost.Wanted wanted = host.next(false);
        final int cid = (wanted == null ? 0 : wanted.cid()) + (input.octet() & 3) % 3;
        final int tag = (wanted == null ? 0 : wanted.tag()) + (input.octet() & 3) % 3;
        final long offset = (wanted == null ? 0 : wanted.offset()) + 4L * (input.octet() & 3);
        final int flags = input.octet() & CommonHeader.LAST;
        final int length = 4 * (1 + input.word() % 8192);
        if (!host.isWanted(cid, tag, offset, length, flags != 0)) {
            host.mustEnd();
            send(data(cid, tag, flags, offset, length));
        }
    }

    private byte[] data(final int cid, final int tag, final int flags, final long offset, final int length) {
        return host.pdus().data(PduType.H2C_DATA, flags, cid, tag, offset, new byte[length]);
    }

    // ---- the network

    private void send(final byte[] bytes) {
        int from = 0;
        for (final int cut :
                new FuzzInput(new byte[] {(byte) Math.max(cutting, bytes.length >>> 8)}).cuts(bytes.length)) {
            host.wire().arrive(Arrays.copyOfRange(bytes, from, cut));
            from = cut;
        }
        host.wire().arrive(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    private void turn() {
        while (target.step()) {
            hosts.forEach(each -> states.accept(FuzzTarget.state(each.wire())));
        }
        hosts.forEach(FuzzHost::read);
    }
}
