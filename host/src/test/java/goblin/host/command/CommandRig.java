// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;
import java.util.function.Consumer;

/** A server without sockets: commands in, replies out as text, and a clock that is moved by hand. */
final class CommandRig {
    long nowMs = 1_000_000;
    final Clock clock = new Clock(() -> nowMs);
    final Server server = new Server(new QuietSurroundings(), clock);
    private int clients;

    /** A new client that speaks RESP2. */
    RigClient client() {
        return new RigClient(this, ++clients);
    }

    /** Moves the clock and ends the waits that are over by then. */
    void advance(long milliseconds) {
        nowMs += milliseconds;
        clock.update();
        server.blocked().expire(nowMs);
    }

    void execute(Client client, String... words) {
        long[] addresses = new long[words.length];
        Arguments arguments = new Arguments();
        try {
            for (int i = 0; i < words.length; i++) {
                byte[] bytes = words[i].getBytes(ISO_8859_1);
                addresses[i] = Memory.allocate(Math.max(1, bytes.length));
                Memory.copyIn(bytes, 0, addresses[i], bytes.length);
                arguments.add(addresses[i], bytes.length);
            }
            server.dispatcher().execute(client, arguments, server.table().find(arguments));
        } finally {
            for (long address : addresses) {
                Memory.free(address);
            }
        }
    }

    /** Nothing is around the commands. */
    private static final class QuietSurroundings implements Surroundings {
        @Override
        public boolean authenticationRequired() {
            return false;
        }

        @Override
        public Verdict verify(Client client, byte[] user, byte[] password, Consumer<Verdict> later) {
            return Verdict.ACCEPTED;
        }

        @Override
        public void shutDown() {}

        @Override
        public boolean isBusy() {
            return false;
        }

        @Override
        public void scriptBegins(Client client) {}

        @Override
        public long scriptPolls() {
            return 0;
        }

        @Override
        public void scriptEnds(Client client) {}

        @Override
        public void log(String line) {
            throw new AssertionError(line);
        }

        @Override
        public void appendInfo(String section, StringBuilder into) {}

        @Override
        public void pause(long untilMs, boolean onlyWrites) {}

        @Override
        public void unpause() {}

        @Override
        public String release() {
            return "test";
        }

        @Override
        public int tcpPort() {
            return 0;
        }
    }
}
