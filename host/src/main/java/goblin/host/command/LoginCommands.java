// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ALLOW_BUSY;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.IMMEDIATE;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.NO_AUTH;
import static goblin.host.command.Flag.NO_MULTI;
import static goblin.host.command.Flag.STALE;
import static goblin.host.command.Flag.SUBSCRIBED;

import goblin.host.command.Surroundings.Verdict;
import goblin.resp.RedisVersion;
import goblin.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** HELLO, AUTH and RESET: who a client is and how it is spoken to. */
final class LoginCommands {
    private static final String GROUP = "connection";
    private static final byte[] DEFAULT_USER = "default".getBytes(StandardCharsets.US_ASCII);
    private static final String WRONG_PASS = "WRONGPASS invalid username-password pair or user is disabled.";

    private LoginCommands() {}

    static void register(final CommandTable table) {
        table.add("hello", -1, LoginCommands::hello, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, NO_MULTI)
                .secretFrom(2)
                .group(GROUP, "6.0.0");
        table.add("auth", -2, LoginCommands::auth, NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, NO_MULTI)
                .secretFrom(1)
                .group(GROUP, "1.0.0");
        table.add(
                        "reset",
                        1,
                        LoginCommands::reset,
                        NOSCRIPT,
                        LOADING,
                        STALE,
                        FAST,
                        NO_AUTH,
                        ALLOW_BUSY,
                        IMMEDIATE,
                        SUBSCRIBED)
                .group(GROUP, "6.2.0");
    }

    private static void auth(final Call call) {
        if (call.count() > 3) {
            call.syntaxError();
            return;
        }
        if (!call.server().surroundings().authenticationRequired()) {
            if (call.count() == 2) {
                call.error("ERR AUTH <password> called without any password configured for the default user. "
                        + "Are you sure your configuration is correct?");
                return;
            }
            if (call.sameBytes(1, DEFAULT_USER)) {
                call.reply().ok();
                return;
            }
            call.error(WRONG_PASS);
            return;
        }
        final byte[] user = call.count() == 3 ? call.bytes(1) : DEFAULT_USER.clone();
        final Client client = call.client();
        verify(call, user, call.bytes(call.count() - 1), (verdict, reply) -> {
            if (accept(client, user, verdict, reply)) {
                reply.ok();
            }
        });
    }

    /** What follows a verification. */
    private interface Outcome {
        void tell(Verdict verdict, ReplyWriter reply);
    }

    private static void verify(final Call call, final byte[] user, final byte[] password, final Outcome outcome) {
        final Client client = call.client();
        final Dispatcher dispatcher = call.server().dispatcher();
        final Consumer<Verdict> later = verdict -> dispatcher.answer(client, reply -> outcome.tell(verdict, reply));
        final Verdict now = call.server().surroundings().verify(client, user, password, later);
        if (now != null) {
            outcome.tell(now, call.reply());
        }
    }

    private static boolean accept(
            final Client client, final byte[] user, final Verdict verdict, final ReplyWriter reply) {
        switch (verdict) {
            case ACCEPTED -> {
                client.setAuthenticated(new String(user, StandardCharsets.ISO_8859_1), true);
                return true;
            }
            case REFUSED -> reply.error(WRONG_PASS);
            case BUSY -> reply.error("ERR too many logins are being verified, try again later");
            case FAILED -> reply.error("ERR the login could not be verified, try again later");
        }
        return false;
    }

    /** What HELLO asks for. */
    private static final class Hello {
        private int protocol;
        private byte[] user;
        private byte[] password;
        private byte[] name;

        private void forgetPassword() {
            if (password != null) {
                Arrays.fill(password, (byte) 0);
            }
        }
    }

    private static void hello(final Call call) {
        final Hello hello = new Hello();
        hello.protocol = call.client().protocol();
        if (call.count() > 1) {
            if (!call.args().parseLong(1)) {
                call.error("ERR Protocol version is not an integer or out of range");
                return;
            }
            if (call.parsed() < 2 || call.parsed() > 3) {
                call.error("NOPROTO unsupported protocol version");
                return;
            }
            hello.protocol = (int) call.parsed();
        }
        if (!parseOptions(call, hello)) {
            hello.forgetPassword();
            return;
        }
        if (hello.user != null) {
            if (call.server().surroundings().authenticationRequired()) {
                // The verdict may come later, when the call is somebody else's.
                final Client client = call.client();
                verify(call, hello.user, hello.password, (verdict, reply) -> {
                    if (accept(client, hello.user, verdict, reply)) {
                        finish(client, hello, reply);
                    }
                });
                return;
            }
            hello.forgetPassword();
            if (!Arrays.equals(hello.user, DEFAULT_USER)) {
                call.error(WRONG_PASS);
                return;
            }
        } else if (!call.client().isAuthenticated()) {
            call.error("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
                    + "<proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP"
                    + " protocol version at the same time");
            return;
        }
        finish(call.client(), hello, call.reply());
    }

    private static boolean parseOptions(final Call call, final Hello hello) {
        for (int i = 2; i < call.count(); i++) {
            final int more = call.count() - i - 1;
            if (call.is(i, "AUTH") && more >= 2) {
                hello.forgetPassword();
                hello.user = call.bytes(i + 1);
                hello.password = call.bytes(i + 2);
                i += 2;
            } else if (call.is(i, "SETNAME") && more >= 1) {
                hello.name = call.bytes(++i);
                if (!ClientCommands.isName(hello.name)) {
                    call.error(ClientCommands.BAD_NAME);
                    return false;
                }
            } else {
                call.error("ERR Syntax error in HELLO option '" + call.args().text(i) + "'");
                return false;
            }
        }
        return true;
    }

    private static void finish(final Client client, final Hello hello, final ReplyWriter reply) {
        if (hello.name != null) {
            client.setName(hello.name);
        }
        client.setProtocol(hello.protocol);
        reply.protocol(hello.protocol);
        reply.map(7);
        reply.bulkAscii("server");
        reply.bulkAscii("redis");
        reply.bulkAscii("version");
        reply.bulkAscii(RedisVersion.TEXT);
        reply.bulkAscii("proto");
        reply.integer(hello.protocol);
        reply.bulkAscii("id");
        reply.integer(client.id());
        reply.bulkAscii("mode");
        reply.bulkAscii("standalone");
        reply.bulkAscii("role");
        reply.bulkAscii("master");
        reply.bulkAscii("modules");
        reply.array(0);
    }

    private static void reset(final Call call) {
        final Client client = call.client();
        final Server server = call.server();
        if (client.transaction != null) {
            server.dispatcher().discard(client);
        }
        server.leave(client);
        server.watches().unwatch(client);
        client.setName(new byte[0]);
        final boolean muted = client.isMuted();
        client.replyMode = Client.ReplyMode.ON;
        client.noEvict = false;
        client.noTouch = false;
        client.setProtocol(2);
        client.setAuthenticated("default", !server.surroundings().authenticationRequired());
        if (muted) {
            // The reply of this command is dropped already, but a client that is heard again must be told.
            server.dispatcher().answer(client, one -> one.simple("RESET"));
        } else {
            call.reply().protocol(2);
            call.reply().simple("RESET");
        }
    }
}
