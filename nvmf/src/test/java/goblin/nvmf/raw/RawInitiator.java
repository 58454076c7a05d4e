// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A blocking host for tests: one admin queue with an enabled controller, and I/O queues. What tests want to break they
 * break on a queue's {@link RawQueue#wire}. Not thread-safe, but each queue may be used by a thread of its own.
 */
public final class RawInitiator implements AutoCloseable {
    /** Enabled, entries of 64 and 16 bytes. */
    public static final long ENABLE = 0x0046_0001;

    private static final int ADMIN_ENTRIES = 32;
    private static final int ADMIN_IN_CAPSULE = 8192;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int WRITE = 1;
    private static final int READ = 2;

    private final InetSocketAddress target;
    private final String subsystem;
    private final RawOptions options;
    private final RawQueue admin;
    private final int controllerId;
    private final List<RawQueue> opened = new ArrayList<>();
    private int inCapsuleBytes;

    private RawInitiator(final InetSocketAddress target, final String subsystem, final RawOptions options) {
        this.target = target;
        this.subsystem = subsystem;
        this.options = options;
        admin = RawQueue.open(target, options, ADMIN_IN_CAPSULE);
        final RawAnswer connected = admin.connect(0, ADMIN_ENTRIES - 1, new ConnectData(subsystem));
        assertThat(connected.status()).as("Connect: " + connected).isZero();
        controllerId = connected.dword0() & 0xFFFF;
    }

    /** Connects the admin queue and leaves the controller disabled. */
    public static RawInitiator connect(
            final InetSocketAddress target, final String subsystem, final RawOptions options) {
        return new RawInitiator(target, subsystem, options);
    }

    /** Connects the admin queue, enables the controller and reads how much fits into a capsule. */
    public static RawInitiator open(final InetSocketAddress target, final String subsystem, final RawOptions options) {
        final RawInitiator initiator = new RawInitiator(target, subsystem, options);
        try {
            initiator.enable();
            return initiator;
        } catch (final AssertionError failed) {
            initiator.close();
            throw failed;
        }
    }

    /** Enables the controller, waits until it is ready, reads how much fits into a capsule. */
    public void enable() {
        set(CC, ENABLE);
        while ((get(CSTS, 4) & 1) == 0) {
            Thread.onSpinWait();
        }
        final byte[] identify = admin.command(SqeBuilder.identify(1, 0)).data();
        assertThat(identify).hasSize(4096);
        inCapsuleBytes = Math.max(0, RawPdu.little(identify).getInt(1792) * 16 - 64);
    }

    /** Sets a property of 4 bytes. */
    public void set(final int property, final long value) {
        final RawAnswer answer = admin.command(SqeBuilder.propertySet(property, value));
        assertThat(answer.status()).as("Property Set: " + answer).isZero();
    }

    /** Gets a property. */
    public long get(final int property, final int size) {
        final RawAnswer answer = admin.command(SqeBuilder.propertyGet(property, size));
        assertThat(answer.status()).as("Property Get: " + answer).isZero();
        return answer.result();
    }

    /** The admin queue. */
    public RawQueue admin() {
        return admin;
    }

    /** CNTLID. */
    public int controllerId() {
        return controllerId;
    }

    /** How much data of an I/O command fits into its capsule, by IOCCSZ. */
    public int inCapsuleBytes() {
        return inCapsuleBytes;
    }

    /** Connects an I/O queue of so many entries. */
    public RawQueue queue(final int qid, final int entries) {
        return queue(qid, entries, options);
    }

    /** Connects an I/O queue whose socket is set up in its own way. */
    public RawQueue queue(final int qid, final int entries, final RawOptions how) {
        final RawQueue queue = RawQueue.open(target, how, inCapsuleBytes);
        opened.add(queue);
        final RawAnswer connected = queue.connect(qid, entries - 1, connectData());
        assertThat(connected.status())
                .as("Connect of queue " + qid + ": " + connected)
                .isZero();
        return queue;
    }

    /** Opens a connection and exchanges ICReq and ICResp; Connect is the test's. */
    public RawQueue bareQueue() {
        final RawQueue queue = RawQueue.open(target, options, inCapsuleBytes);
        opened.add(queue);
        return queue;
    }

    /** The data of a right Connect of an I/O queue. */
    public ConnectData connectData() {
        return new ConnectData(subsystem).controllerId(controllerId);
    }

    /** Writes blocks and expects success. */
    public static void write(
            final RawQueue queue, final int nsid, final long firstBlock, final int blocks, final byte[] data) {
        final RawAnswer answer = queue.command(SqeBuilder.io(WRITE, nsid, firstBlock, blocks), data);
        assertThat(answer.status()).as("Write: " + answer).isZero();
    }

    /** Reads blocks and expects success. */
    public static byte[] read(
            final RawQueue queue, final int nsid, final long firstBlock, final int blocks, final int blockBytes) {
        final long length = (long) blocks * blockBytes;
        final RawAnswer answer =
                queue.command(SqeBuilder.io(READ, nsid, firstBlock, blocks).sgl(SqeBuilder.TRANSPORT, length));
        assertThat(answer.status()).as("Read: " + answer).isZero();
        assertThat(answer.data()).hasSize((int) length);
        return answer.data();
    }

    @Override
    public void close() {
        opened.forEach(RawQueue::close);
        admin.close();
    }
}
