// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.AcceptHandler;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.Timer;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;
import goblin.net.linux.SocketAddress;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;

/** Accepts up to 64 connections a turn; when descriptors or memory run out it says so once and tries again later. */
final class EpollListener extends Pollable implements Listener {
    private static final int ACCEPTS_A_TURN = 64;
    private static final long PAUSE_NS = 100_000_000;

    private final Endpoint endpoint;
    private final UnixSocketFile file;
    private final AcceptHandler handler;
    private final Timer retry;
    private boolean readable;
    private boolean pausing;
    private boolean failing;
    private boolean open = true;

    private EpollListener(
            final EpollTransport transport,
            final int descriptor,
            final Endpoint endpoint,
            final UnixSocketFile file,
            final AcceptHandler handler) {
        super(transport, descriptor);
        this.endpoint = endpoint;
        this.file = file;
        this.handler = handler;
        retry = transport.timers.newTimer(this::retry);
    }

    static EpollListener open(
            final EpollTransport transport,
            final Endpoint local,
            final ListenOptions options,
            final AcceptHandler handler) {
        final SocketCalls calls = transport.calls;
        final int fd = calls.socket(Addresses.family(local));
        check(fd, local);
        UnixSocketFile file = null;
        try {
            if (local instanceof Endpoint.Unix unix) {
                file = UnixSocketFile.bind(transport, fd, unix, options.unixMode());
            } else {
                bindTcp(transport, fd, local, options);
            }
            check(calls.listen(fd, options.backlog()), local);
            final EpollListener listener =
                    new EpollListener(transport, fd, transport.ownEndpoint(fd, local), file, handler);
            check(transport.register(listener, EpollEvents.INPUT), local);
            return listener;
        } catch (final NetException failed) {
            if (file != null) {
                file.remove();
            }
            calls.close(fd);
            throw failed;
        }
    }

    private static void bindTcp(
            final EpollTransport transport, final int fd, final Endpoint local, final ListenOptions options) {
        final SocketCalls calls = transport.calls;
        calls.setOption(fd, SocketOption.REUSE_ADDRESS, 1);
        if (options.reusePort()) {
            check(calls.setOption(fd, SocketOption.REUSE_PORT, 1), local);
        }
        if (Addresses.family(local) == SocketAddress.INET6) {
            // Else "::" would take the IPv4 port too, and a second listener on 0.0.0.0 could not be had.
            check(calls.setOption(fd, SocketOption.IPV6_ONLY, 1), local);
        }
        TcpOptions.set(calls, fd);
        check(calls.bind(fd, transport.addressScratch, Addresses.write(local, transport.addressScratch)), local);
    }

    private static void check(final int outcome, final Endpoint local) {
        if (outcome < 0) {
            throw new NetException("cannot listen on " + local + ": " + Errno.name(-outcome), -outcome);
        }
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        retry.cancel();
        if (file != null) {
            file.remove();
        }
        transport.unregister(this);
    }

    @Override
    void onEvents(final int events) {
        readable = true;
        queueIfReady();
    }

    @Override
    boolean wantsService() {
        return open && readable && !pausing;
    }

    @Override
    int serve() {
        int attempts = 0;
        while (attempts < ACCEPTS_A_TURN && wantsService()) {
            attempts++;
            final int fd = transport.accept(descriptor);
            if (fd >= 0) {
                failing = false;
                accepted(fd);
            } else {
                onFailure(-fd);
            }
        }
        return attempts;
    }

    private void accepted(final int fd) {
        final Endpoint remote = endpoint instanceof Endpoint.Tcp ? Addresses.read(transport.addressScratch) : endpoint;
        final EpollConnection connection = new EpollConnection(transport, fd, remote, endpoint);
        final int outcome = transport.register(connection, EpollEvents.CONNECTION);
        if (outcome < 0) {
            transport.calls.close(fd);
            onFailure(-outcome);
            return;
        }
        transport.count(TransportCounter.ACCEPTED, 1);
        ConnectionHandler chosen = null;
        try {
            chosen = handler.onAccept(connection);
        } catch (final Throwable thrown) {
            transport.handlerFault("accepting on " + endpoint, thrown);
        }
        if (chosen == null) {
            connection.close();
        } else {
            connection.handler(chosen);
        }
    }

    private void onFailure(final int errno) {
        switch (errno) {
            case Errno.EAGAIN -> {
                readable = false;
                failing = false;
            }
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> pause(errno);
            // The rest are errors of the connection that was waiting (ECONNABORTED, EPROTO, the network's): take the
            // next.
            default -> {}
        }
    }

    private void pause(final int errno) {
        transport.count(TransportCounter.ACCEPT_ERRORS, 1);
        pausing = true;
        retry.arm(transport.nowNs + PAUSE_NS);
        if (!failing) {
            failing = true;
            try {
                handler.onAcceptError(errno);
            } catch (final Throwable thrown) {
                transport.handlerFault("accepting on " + endpoint, thrown);
            }
        }
    }

    private void retry() {
        pausing = false;
        queueIfReady();
    }
}
