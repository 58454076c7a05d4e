// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** CLIENT TRACKING and what belongs to it. */
final class TrackingCommands {
    private TrackingCommands() {}

    static void register(final CommandSpec client, final Flag... usual) {
        client.sub("tracking", -3, TrackingCommands::tracking, usual);
        client.sub("caching", 3, TrackingCommands::caching, usual);
        client.sub("trackinginfo", 2, TrackingCommands::info, usual);
        client.sub("getredir", 2, TrackingCommands::redirection, usual);
    }

    private static void tracking(final Call call) {
        final Client client = call.client();
        final ClientTracking wanted = new ClientTracking();
        if (!parse(call, wanted)) {
            return;
        }
        if (call.is(2, "OFF")) {
            call.server().tracking().disable(client);
            call.reply().ok();
            return;
        }
        if (!call.is(2, "ON")) {
            call.syntaxError();
            return;
        }
        final String objection = objection(client, wanted);
        if (objection != null) {
            call.error(objection);
            return;
        }
        final ClientTracking tracking = client.tracking;
        tracking.broadcast = wanted.broadcast;
        tracking.optIn = wanted.optIn;
        tracking.optOut = wanted.optOut;
        tracking.noLoop = wanted.noLoop;
        tracking.redirect = wanted.redirect;
        tracking.redirectBroken = false;
        if (wanted.broadcast) {
            if (wanted.prefixes.isEmpty() && tracking.prefixes.isEmpty()) {
                wanted.prefixes.add(new byte[0]);
            }
            tracking.prefixes.addAll(wanted.prefixes);
        }
        call.server().tracking().enable(client);
        call.reply().ok();
    }

    private static boolean parse(final Call call, final ClientTracking wanted) {
        for (int i = 3; i < call.count(); i++) {
            if (call.is(i, "REDIRECT") && i + 1 < call.count()) {
                if (wanted.redirect != 0) {
                    call.error("ERR A client can only redirect to a single other client");
                    return false;
                }
                if (!call.integer(++i)) {
                    return false;
                }
                wanted.redirect = call.parsed();
                if (call.server().clients().find(wanted.redirect) == null) {
                    call.error("ERR The client ID you want redirect to does not exist");
                    return false;
                }
            } else if (call.is(i, "BCAST")) {
                wanted.broadcast = true;
            } else if (call.is(i, "OPTIN")) {
                wanted.optIn = true;
            } else if (call.is(i, "OPTOUT")) {
                wanted.optOut = true;
            } else if (call.is(i, "NOLOOP")) {
                wanted.noLoop = true;
            } else if (call.is(i, "PREFIX") && i + 1 < call.count()) {
                wanted.prefixes.add(call.bytes(++i));
            } else {
                call.syntaxError();
                return false;
            }
        }
        return true;
    }

    private static String objection(final Client client, final ClientTracking wanted) {
        if (!wanted.broadcast && !wanted.prefixes.isEmpty()) {
            return "ERR PREFIX option requires BCAST mode to be enabled";
        }
        final ClientTracking present = client.tracking;
        if (present.on && present.broadcast != wanted.broadcast) {
            return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then"
                    + " re-enabling it with a different mode.";
        }
        if (wanted.broadcast && (wanted.optIn || wanted.optOut)) {
            return "ERR OPTIN and OPTOUT are not compatible with BCAST";
        }
        if (wanted.optIn && wanted.optOut) {
            return "ERR You can't use both OPTIN and OPTOUT options at the same time";
        }
        if (present.on && (present.optIn != wanted.optIn || present.optOut != wanted.optOut)) {
            return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then"
                    + " re-enabling it with a different mode.";
        }
        return overlap(present.prefixes, wanted.prefixes);
    }

    private static String overlap(final List<byte[]> present, final List<byte[]> wanted) {
        final List<byte[]> all = new ArrayList<>(present);
        for (final byte[] prefix : wanted) {
            for (final byte[] other : all) {
                final int common = Math.min(prefix.length, other.length);
                if (!Arrays.equals(prefix, other) && Arrays.equals(prefix, 0, common, other, 0, common)) {
                    return "ERR Prefix '" + text(prefix) + "' overlaps with an existing prefix '" + text(other)
                            + "'. Prefixes for a single client must not overlap.";
                }
            }
            all.add(prefix);
        }
        return null;
    }

    private static String text(final byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static void caching(final Call call) {
        final ClientTracking tracking = call.client().tracking;
        if (!tracking.on) {
            call.error("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT"
                    + " mode enabled");
            return;
        }
        if (call.is(2, "YES")) {
            if (!tracking.optIn) {
                call.error("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
                return;
            }
        } else if (call.is(2, "NO")) {
            if (!tracking.optOut) {
                call.error("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
                return;
            }
        } else {
            call.syntaxError();
            return;
        }
        tracking.giveCaching();
        call.reply().ok();
    }

    private static void redirection(final Call call) {
        final ClientTracking tracking = call.client().tracking;
        call.reply().integer(tracking.on ? tracking.redirect : -1);
    }

    private static void info(final Call call) {
        final ClientTracking tracking = call.client().tracking;
        final List<String> flags = new ArrayList<>();
        flags.add(tracking.on ? "on" : "off");
        add(flags, tracking.broadcast, "bcast");
        add(flags, tracking.optIn, "optin");
        add(flags, tracking.optIn && tracking.cachingGiven, "caching-yes");
        add(flags, tracking.optOut, "optout");
        add(flags, tracking.optOut && tracking.cachingGiven, "caching-no");
        add(flags, tracking.noLoop, "noloop");
        add(flags, tracking.redirectBroken, "broken_redirect");
        call.reply().map(3);
        call.reply().bulkAscii("flags");
        call.reply().set(flags.size());
        flags.forEach(call.reply()::bulkAscii);
        call.reply().bulkAscii("redirect");
        call.reply().integer(tracking.on ? tracking.redirect : -1);
        call.reply().bulkAscii("prefixes");
        call.reply().array(tracking.prefixes.size());
        tracking.prefixes.forEach(call.reply()::bulk);
    }

    private static void add(final List<String> flags, final boolean on, final String name) {
        if (on) {
            flags.add(name);
        }
    }
}
