// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Memory;
import goblin.nvmf.initiator.HostCommand;
import goblin.nvmf.initiator.HostQueue;
import goblin.nvmf.initiator.Initiator;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorListener;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.initiator.NamespaceInfo;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A host with one I/O queue whose calls wait for their answers. */
public final class NvmfHost implements AutoCloseable, InitiatorListener {
    private static final int PATIENCE_SECONDS = 30;
    private static final int READ = 0x02;
    private static final int WRITE = 0x01;
    private static final int GET_LOG_PAGE = 0x02;
    private static final int DISCOVERY_LOG = 0x70;
    private static final String DISCOVERY_NQN = "nqn.2014-08.org.nvmexpress.discovery";

    private final EventLoop loop = new EventLoop("host", new EpollTransport(), IdlePolicy.BACKOFF);
    private final CompletableFuture<Initiator> ready = new CompletableFuture<>();
    private final CompletableFuture<String> failure = new CompletableFuture<>();

    private NvmfHost(final InitiatorOptions options) {
        loop.start();
        loop.execute(() -> Initiator.connect(loop, options, this));
    }

    /**
     * Connects to the target's subsystem.
     *
     * @param target serves it
     * @param change of the usual options
     * @return the connected host
     * @throws InitiatorException when it is refused, with the status
     */
    public static NvmfHost connect(final NvmfTarget target, final UnaryOperator<InitiatorOptions> change) {
        return connect(InetAddress.getLoopbackAddress(), target.port(), NvmfTarget.NQN, change);
    }

    private static NvmfHost connect(
            final InetAddress address,
            final int port,
            final String subsystem,
            final UnaryOperator<InitiatorOptions> change) {
        final NvmfHost host = new NvmfHost(change.apply(InitiatorOptions.of(address, port, subsystem)));
        try {
            host.await(host.ready);
        } catch (final InitiatorException e) {
            host.close();
            throw e;
        }
        return host;
    }

    /**
     * Reads the discovery log.
     *
     * @param address of the discovery service, literal
     * @param port of the discovery service
     * @param hostNqn who asks
     * @return the header of 1024 bytes and three records
     */
    public static byte[] discover(final String address, final int port, final String hostNqn) {
        final int bytes = 4096;
        try (NvmfHost host = connect(
                InetAddress.ofLiteral(address),
                port,
                DISCOVERY_NQN,
                o -> o.withQueues(0, 1).withHost(hostNqn))) {
            return host.run(
                    bytes,
                    true,
                    Initiator::admin,
                    (command, memory) -> command.describe(GET_LOG_PAGE, 0)
                            .dword(10, DISCOVERY_LOG | (bytes / 4 - 1) << 16)
                            .toHost(memory, bytes));
        }
    }

    /**
     * Looks at a namespace.
     *
     * @param nsid its identifier
     * @return what Identify says
     */
    public NamespaceInfo namespace(final int nsid) {
        final CompletableFuture<NamespaceInfo> found = new CompletableFuture<>();
        final Initiator initiator = await(ready);
        loop.execute(() -> initiator.identifyNamespace(nsid, found::complete));
        return await(found);
    }

    /**
     * Reads one block.
     *
     * @param nsid namespace
     * @param block which
     * @param bytes of a block
     * @return its contents
     */
    public byte[] read(final int nsid, final long block, final int bytes) {
        return run(
                bytes,
                true,
                i -> i.queue(0),
                (command, memory) -> command.describe(READ, nsid, block, 1).toHost(memory, bytes));
    }

    /**
     * Writes one block.
     *
     * @param nsid namespace
     * @param block which
     * @param contents of a block
     */
    public void write(final int nsid, final long block, final byte[] contents) {
        run(contents.length, false, i -> i.queue(0), (command, memory) -> {
            Memory.copyIn(contents, 0, memory, contents.length);
            command.describe(WRITE, nsid, block, 1).fromHost(memory, contents.length);
        });
    }

    /**
     * Waits until the target or the connection ends the association.
     *
     * @return why
     */
    public String awaitEnd() {
        return await(failure);
    }

    private byte[] run(final int bytes, final boolean result, final QueueOf queueOf, final Filler filler) {
        final Initiator initiator = await(ready);
        final CompletableFuture<byte[]> done = new CompletableFuture<>();
        loop.execute(() -> {
            final HostQueue queue = queueOf.queue(initiator);
            final long memory = Memory.allocate(bytes);
            final HostCommand command = queue.take();
            filler.fill(command, memory);
            command.whenDone(ended -> {
                if (ended.status() == 0) {
                    done.complete(result ? Memory.toBytes(memory, bytes) : new byte[0]);
                } else {
                    done.completeExceptionally(
                            new InitiatorException("status 0x" + Integer.toHexString(ended.status())));
                }
                Memory.free(memory);
                queue.give(ended);
            });
            if (queue.submit(command)) {
                queue.flush();
            } else {
                done.completeExceptionally(new InitiatorException("the connection is lost"));
            }
        });
        return await(done);
    }

    private <T> T await(final CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            throw new InitiatorException(e.getCause().getMessage());
        } catch (final TimeoutException e) {
            throw new InitiatorException("nothing within " + PATIENCE_SECONDS + " s");
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void onReady(final Initiator initiator) {
        ready.complete(initiator);
    }

    @Override
    public void onFailed(final Initiator initiator, final String why) {
        ready.completeExceptionally(new InitiatorException(why));
        failure.complete(why);
    }

    @Override
    public void close() {
        loop.close();
    }

    private interface QueueOf {
        HostQueue queue(Initiator initiator);
    }

    private interface Filler {
        void fill(HostCommand command, long memory);
    }
}
