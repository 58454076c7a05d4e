// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import goblin.testkit.ProxiedFlow;
import org.awaitility.Awaitility;

/** Conditions that several tests wait for. */
public final class Waits {
    private Waits() {}

    /**
     * Returns when the program has read what any client sent before, so that what it does about it has been done.
     *
     * @param port the program's port
     */
    public static void settle(final int port) {
        try (WireClient client = WireClient.connect(port)) {
            for (int i = 0; i < 3; i++) {
                client.call("PING");
            }
        }
    }

    /**
     * Waits until a held flow keeps something back.
     *
     * @param flow a held direction
     */
    public static void awaitHeld(final ProxiedFlow flow) {
        Awaitility.await("bytes held").until(() -> flow.receivedBytes() > flow.passedBytes());
    }

    /**
     * Waits until a server counts so many subscribers of a channel.
     *
     * @param client asks
     * @param channel of these
     * @param count wanted
     */
    public static void awaitSubscribers(final WireClient client, final String channel, final int count) {
        final String wanted = "*2¶$" + channel.length() + "¶" + channel + "¶:" + count + "¶";
        Awaitility.await(count + " subscribers of " + channel)
                .until(() -> client.call("PUBSUB", "NUMSUB", channel).equals(wanted));
    }

    /**
     * A number of INFO.
     *
     * @param client asks
     * @param field the name before the colon
     * @return its value
     */
    public static long info(final WireClient client, final String field) {
        final String info = client.call("INFO", "everything");
        final int at = info.indexOf("¶" + field + ":");
        if (at < 0) {
            throw new AssertionError("no field " + field + " in " + info.replace('¶', '\n'));
        }
        final int begin = at + field.length() + 2;
        return Long.parseLong(info.substring(begin, info.indexOf('¶', begin)));
    }
}
