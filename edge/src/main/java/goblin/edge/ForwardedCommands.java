// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.Ascii;
import goblin.resp.Decimal;
import goblin.resp.ErrorTexts;
import java.nio.charset.StandardCharsets;

/** Forwarded commands that the edge has to understand or to write anew. */
final class ForwardedCommands {
    private static final String EXECABORT_REPLY = "-EXECABORT Transaction discarded because of previous errors.\r\n";

    private ForwardedCommands() {}

    /** Follows {@code MULTI}, {@code EXEC} and {@code DISCARD}; returns the slot's flags. */
    static int followTransaction(final ClientSession client, final EdgeCommand command, final int flags) {
        if (command == EdgeCommands.MULTI && !client.transaction().isOpen()) {
            client.transaction().opened();
            return flags | ReplySlot.OPENS_MULTI;
        }
        if (command == EdgeCommands.EXEC || command == EdgeCommands.DISCARD) {
            client.transaction().ended();
        }
        return flags;
    }

    /** Sends a command as an array of bulk strings, whatever form it came in. */
    static void sendAsArray(final ClientSession client, final Arguments arguments) {
        final NativeBuffer scratch = client.edge().scratch();
        scratch.clear();
        arrayHeader(scratch, arguments.argumentCount());
        for (int i = 0; i < arguments.argumentCount(); i++) {
            bulk(scratch, arguments.argument(i), arguments.argumentLength(i));
        }
        client.upstream().append(scratch.address(), scratch.length());
    }

    /** Sends a command of words that the edge made. */
    static void send(final ClientSession client, final String... words) {
        final NativeBuffer scratch = client.edge().scratch();
        scratch.clear();
        arrayHeader(scratch, words.length);
        for (final String word : words) {
            bulkHeader(scratch, word.length());
            scratch.appendAscii(word);
            scratch.appendAscii("\r\n");
        }
        client.upstream().append(scratch.address(), scratch.length());
    }

    /** The edge's login at the host. The secret leaves the scratch at once. */
    static void sendLogin(final ClientSession client, final String user, final byte[] password) {
        final NativeBuffer secret = new NativeBuffer();
        arrayHeader(secret, 3);
        bulkHeader(secret, 4);
        secret.appendAscii("AUTH\r\n");
        final byte[] name = user.getBytes(StandardCharsets.UTF_8);
        bulkHeader(secret, name.length);
        secret.append(name);
        secret.appendAscii("\r\n");
        bulkHeader(secret, password.length);
        secret.append(password);
        secret.appendAscii("\r\n");
        client.upstream().append(secret.address(), secret.length());
        Memory.fill(secret.address(), secret.length(), (byte) 0);
        secret.free();
    }

    /** Sends what stands for a command that the host must not see as it came. */
    static void rewrite(final ClientSession client, final EdgeCommand command, final Arguments arguments) {
        if (command == EdgeCommands.EXEC) {
            client.obtainUpstream();
            final ReplySlot slot =
                    client.sequencer().expect(SlotType.FORWARD, ReplySlot.REPLACE, client.isReplySuppressed());
            slot.first = client.edge().copyOfAscii(EXECABORT_REPLY);
            client.transaction().ended();
            send(client, "DISCARD");
            return;
        }
        command.handler.handle(client, arguments);
    }

    /** {@code CLIENT UNBLOCK id [TIMEOUT|ERROR]}: the id becomes that of the blocked client's host session. */
    static void unblock(final ClientSession client, final Arguments arguments) {
        final int count = arguments.argumentCount();
        if (count != 3 && count != 4) {
            client.replyError(ErrorTexts.wrongNumberOfArguments("client|unblock"));
            return;
        }
        if (!Decimal.isLong(arguments.argument(2), arguments.argumentLength(2))) {
            client.replyError(ErrorTexts.NOT_AN_INTEGER);
            return;
        }
        if (count == 4 && !isWord(arguments, 3, "TIMEOUT") && !isWord(arguments, 3, "ERROR")) {
            client.replyError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
            return;
        }
        final long id = Decimal.toLong(arguments.argument(2), arguments.argumentLength(2));
        final String reason = count == 4 && isWord(arguments, 3, "ERROR") ? "ERROR" : "TIMEOUT";
        EveryLoop.ask(
                client,
                edge -> hostIdOf(edge.clients().find(id)),
                hostIds -> unblock(
                        client, hostIds.stream().mapToLong(Long::longValue).sum(), reason));
    }

    /** The id of the client's session at the host; 0 when it is not this loop's, or has none. */
    private static long hostIdOf(final ClientSession client) {
        return client == null || client.upstream() == null
                ? 0
                : client.upstream().hostId();
    }

    private static void unblock(final ClientSession client, final long hostId, final String reason) {
        if (hostId == 0) {
            client.replyInteger(0);
            return;
        }
        client.obtainUpstream();
        client.sequencer().expect(SlotType.FORWARD, 0, client.isReplySuppressed());
        send(client, "CLIENT", "UNBLOCK", Long.toString(hostId), reason);
    }

    /** {@code CLIENT TRACKING}: redirection names a client of the host's, which edge clients do not know. */
    static void tracking(final ClientSession client, final Arguments arguments) {
        for (int i = 2; i < arguments.argumentCount(); i++) {
            if (isWord(arguments, i, "REDIRECT")) {
                client.replyError("ERR CLIENT TRACKING REDIRECT is not available through an edge:"
                        + " its client ids are not the host's; use RESP3");
                return;
            }
        }
        client.obtainUpstream();
        client.sequencer().expect(SlotType.FORWARD, 0, client.isReplySuppressed());
        sendAsArray(client, arguments);
    }

    static boolean isWord(final Arguments arguments, final int index, final String word) {
        return Ascii.equalsIgnoreCase(arguments.argument(index), arguments.argumentLength(index), word);
    }

    private static void arrayHeader(final NativeBuffer out, final int count) {
        out.appendByte((byte) '*');
        out.appendDecimal(count);
        out.appendAscii("\r\n");
    }

    private static void bulkHeader(final NativeBuffer out, final long length) {
        out.appendByte((byte) '$');
        out.appendDecimal(length);
        out.appendAscii("\r\n");
    }

    private static void bulk(final NativeBuffer out, final long address, final long length) {
        bulkHeader(out, length);
        out.append(address, length);
        out.appendAscii("\r\n");
    }
}
