// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.AcceptHandler;
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
final class SocketListener extends Pollable implements Listener {
    private static final int ACCEPTS_A_TURN = 64;
    private static final int FINISHING_ROUNDS = 64;
    private static final long PAUSE_NS = 100_000_000;

    private final Endpoint endpoint;
    private final UnixSocketFile file;
    private final AcceptHandler handler;
    private final Timer retry;
    private boolean readable;
    private boolean pausing;
    private boolean failing;
    private boolean open = true;
    private boolean diverted;

    private SocketListener(
            final SocketCore core,
            final int descriptor,
            final Endpoint endpoint,
            final UnixSocketFile file,
            final AcceptHandler handler) {
        super(core, descriptor);
        this.endpoint = endpoint;
        this.file = file;
        this.handler = handler;
        retry = core.timers.newTimer(this::retry);
    }

    static SocketListener open(
            final SocketCore core, final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
        final SocketCalls calls = core.calls;
        final int fd = calls.socket(Addresses.family(local));
        check(fd, local);
        UnixSocketFile file = null;
        try {
            if (local instanceof Endpoint.Unix unix) {
                file = UnixSocketFile.bind(core, fd, unix, options.unixMode());
            } else {
                bindTcp(core, fd, local, options);
            }
            check(calls.listen(fd, options.backlog()), local);
            final SocketListener listener = new SocketListener(core, fd, core.ownEndpoint(fd, local), file, handler);
            check(core.backend.register(listener, PollEvents.IN), local);
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
            final SocketCore core, final int fd, final Endpoint local, final ListenOptions options) {
        final SocketCalls calls = core.calls;
        calls.setOption(fd, SocketOption.REUSE_ADDRESS, 1);
        if (options.reusePort()) {
            check(calls.setOption(fd, SocketOption.REUSE_PORT, 1), local);
        }
        if (Addresses.family(local) == SocketAddress.INET6) {
            // Else "::" would take the IPv4 port too, and a second listener on 0.0.0.0 could not be had.
            check(calls.setOption(fd, SocketOption.IPV6_ONLY, 1), local);
        }
        TcpOptions.set(calls, fd);
        check(calls.bind(fd, core.addressScratch, Addresses.write(local, core.addressScratch)), local);
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
    public void finish() {
        // More may come while it accepts, for ever: not further than a backlog.
        readable = true;
        for (int round = 0; round < FINISHING_ROUNDS && wantsService(); round++) {
            serve();
        }
        close();
    }

    @Override
    public boolean divert(final int place) {
        diverted = open && core.calls.divertConnections(descriptor, place) == 0;
        return diverted;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        if (diverted) {
            // The others would keep a choice that fits them no longer.
            core.calls.endDiversion(descriptor);
        }
        retry.cancel();
        if (file != null) {
            file.remove();
        }
        core.backend.unregister(this);
    }

    @Override
    public void onEvents(final int events) {
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
            final int fd = core.accept(descriptor);
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
        final Endpoint remote = endpoint instanceof Endpoint.Tcp ? Addresses.read(core.addressScratch) : endpoint;
        if (isHandedOver(fd, remote)) {
            return;
        }
        final int outcome = core.take(fd, remote, endpoint, handler);
        if (outcome < 0) {
            onFailure(-outcome);
        }
    }

    private boolean isHandedOver(final int fd, final Endpoint remote) {
        try {
            return handler.handOver(fd, remote, endpoint);
        } catch (final Throwable thrown) {
            core.calls.close(fd);
            core.handlerFault("handing over from " + endpoint, thrown);
            return true;
        }
    }

    private void onFailure(final int errno) {
        switch (errno) {
            case Errno.EAGAIN -> {
                readable = false;
                failing = false;
            }
            // Errors of the connection that was waiting: take the next.
            case Errno.ECONNABORTED,
                    Errno.EINTR,
                    Errno.EPROTO,
                    Errno.ENETUNREACH,
                    Errno.EHOSTUNREACH,
                    Errno.ETIMEDOUT,
                    Errno.ECONNRESET -> {}
            // The rest last for a while, such as EMFILE, or for ever.
            default -> pause(errno);
        }
    }

    private void pause(final int errno) {
        core.count(TransportCounter.ACCEPT_ERRORS, 1);
        pausing = true;
        retry.arm(core.nowNs + PAUSE_NS);
        if (!failing) {
            failing = true;
            try {
                handler.onAcceptError(errno);
            } catch (final Throwable thrown) {
                core.handlerFault("accepting on " + endpoint, thrown);
            }
        }
    }

    private void retry() {
        pausing = false;
        queueIfReady();
    }
}
