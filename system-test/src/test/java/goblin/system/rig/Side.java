// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Where the one RESP suite runs. All test classes share the programs. {@code -Dgoblin.sides=REDIS} runs it against
 * redis-server, which tells a wrong test from a wrong program.
 */
public enum Side {
    /** The host itself. */
    HOST,
    /** The edge in front of it. */
    EDGE,
    /** A redis-server, for checking the suite itself. */
    REDIS;

    /**
     * The sides to test.
     *
     * @return host and edge, unless the property {@code goblin.sides} says otherwise
     */
    public static Stream<Side> underTest() {
        return Arrays.stream(System.getProperty("goblin.sides", "HOST,EDGE").split(","))
                .map(Side::valueOf);
    }

    /**
     * The side that real clients talk to.
     *
     * @return the last one under test, so the edge unless the property says otherwise
     */
    public static Side forRealClients() {
        return underTest().toList().getLast();
    }

    /**
     * Where clients of this side connect.
     *
     * @return a port of the loopback interface
     */
    public int port() {
        return switch (this) {
            case HOST -> Programs.HOST.hostPort();
            case EDGE -> Edge.PORT;
            case REDIS -> Redis.PORT;
        };
    }

    /**
     * Where clients of the authoritative server behind this side connect.
     *
     * @return a port of the loopback interface
     */
    public int hostPort() {
        return this == REDIS ? Redis.PORT : Programs.HOST.hostPort();
    }

    private static final class Programs {
        // Ended with the test JVM.
        static final EdgeAndHost HOST = EdgeAndHost.setup().withoutEdge().start();
    }

    private static final class Edge {
        static final int PORT = Programs.HOST.addEdge();
    }

    private static final class Redis {
        static final int PORT = Ports.free();

        static {
            RedisServer.start(PORT);
        }
    }
}
