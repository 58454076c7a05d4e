// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.nvmf.namespace.FileIo;
import java.util.List;

/**
 * How the target speaks NVMe/TCP. Everything is checked when the record is made.
 *
 * @param listen           where, at least one endpoint, no two with the same fixed port and address; port 0 lets the
 *                         kernel choose
 * @param cpus             the loops, one each, pinned to this CPU or to none with {@link EventLoop#ANY_CPU}; at least one
 * @param idle             what loops do without work
 * @param maxIoBytes       the largest command, as the target has it; a power of two of 4096 and more
 * @param maxDataBytes     MAXH2CDATA: a multiple of 4, 4096 to 2 GiB
 * @param inCapsuleBytes   data that may come with a command on I/O queues, 0 to 1 MiB, a multiple of 16
 * @param dataAlignment    CPDA, 0 to 31 but for 16, and for 17 with header digests: no legal offset is aligned so
 * @param headerDigest     whether a host gets header digests when it asks for them
 * @param dataDigest       whether a host gets data digests when it asks for them
 * @param transferBytes    memory of each loop for data that is read, copied or waited for; at least {@code maxIoBytes}
 * @param receiveBytes     memory of each loop that sockets receive into; at least one segment
 * @param receive          how payload is received
 * @param files            what reads and writes files for the loops
 * @param sockets          what serves the sockets
 * @param maxConnections   how many connections there may be, over all loops
 * @param checking         whether memory given back is overwritten, for tests
 */
public record TcpOptions(
        List<Endpoint.Tcp> listen,
        List<Integer> cpus,
        IdlePolicy idle,
        int maxIoBytes,
        int maxDataBytes,
        int inCapsuleBytes,
        int dataAlignment,
        boolean headerDigest,
        boolean dataDigest,
        long transferBytes,
        long receiveBytes,
        ReceiveOptions receive,
        SocketBackend sockets,
        FileIo files,
        int maxConnections,
        boolean checking) {

    /** Bytes of the largest command unless something else is asked for. */
    public static final int DEFAULT_MAX_IO_BYTES = 1 << 20;

    /** Data that may come with a command, on admin queues always and on I/O queues unless something else is asked for. */
    public static final int DEFAULT_IN_CAPSULE_BYTES = 8192;

    /** Receive and transfer memory of a loop unless something else is asked for. */
    public static final long DEFAULT_MEMORY_BYTES = 64L << 20;

    /**
     * Checks.
     *
     * @throws IllegalArgumentException with a message for people when something is out of its range
     */
    public TcpOptions {
        listen = List.copyOf(listen);
        cpus = List.copyOf(cpus);
        check(!listen.isEmpty(), "there is nowhere to listen");
        check(!cpus.isEmpty(), "there is no loop");
        check(
                maxIoBytes >= 4096 && Integer.bitCount(maxIoBytes) == 1,
                "the largest I/O must be a power of two of at least 4096 bytes");
        check(
                maxDataBytes >= IcResp.MIN_MAX_DATA && maxDataBytes % 4 == 0,
                "MAXH2CDATA must be a multiple of 4 of at least " + IcResp.MIN_MAX_DATA);
        check(
                inCapsuleBytes >= 0 && inCapsuleBytes <= 1 << 20 && inCapsuleBytes % 16 == 0,
                "in-capsule data must be a multiple of 16 bytes of at most 1 MiB");
        check(
                dataAlignment >= 0 && dataAlignment <= IcReq.MAX_ALIGNMENT,
                "the data alignment must be 0 to " + IcReq.MAX_ALIGNMENT);
        final int capsuleEnd = CapsuleCmd.BYTES + (headerDigest ? CommonHeader.DIGEST_BYTES : 0);
        check(
                DataLayout.dataOffset(capsuleEnd, dataAlignment) <= CommonHeader.MAX_DATA_OFFSET,
                "with a data alignment of " + dataAlignment + " the data of a command would begin behind byte "
                        + CommonHeader.MAX_DATA_OFFSET + " of its PDU");
        check(transferBytes >= maxIoBytes, "receive memory must hold the largest I/O of " + maxIoBytes + " bytes");
        check(
                receiveBytes >= receive.segmentBytes(),
                "segment memory must be at least one segment of " + receive.segmentBytes() + " bytes");
        check(maxConnections >= 1, "there must be a connection");
    }

    static void check(final boolean right, final String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /**
     * The defaults: one loop anywhere, backing off when idle.
     *
     * @param listen where
     * @return options to start from
     */
    public static TcpOptions defaults(final Endpoint.Tcp listen) {
        return new TcpOptions(
                List.of(listen),
                List.of(EventLoop.ANY_CPU),
                IdlePolicy.BACKOFF,
                DEFAULT_MAX_IO_BYTES,
                DEFAULT_MAX_IO_BYTES,
                DEFAULT_IN_CAPSULE_BYTES,
                0,
                true,
                true,
                DEFAULT_MEMORY_BYTES,
                DEFAULT_MEMORY_BYTES,
                ReceiveOptions.DEFAULT,
                SocketBackend.EPOLL,
                FileIo.THREADS,
                16_384,
                false);
    }
}
