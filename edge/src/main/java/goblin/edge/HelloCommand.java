// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.ErrorTexts;
import goblin.resp.HelloRequest;
import goblin.resp.RedisVersion;
import goblin.resp.ReplyWriter;

/** HELLO: all of it holds or nothing does; the host session follows the RESP version. */
final class HelloCommand {
    private static final int FIELDS = 7;

    private HelloCommand() {}

    static void hello(final ClientSession client, final Arguments arguments) {
        final HelloRequest request = client.edge().helloRequest();
        if (!request.parse(arguments)) {
            client.replyError(request.error());
            return;
        }
        final int protocol = request.protocol() == 0 ? client.protocol() : request.protocol();
        final int nameAt = request.nameIndex();
        if (nameAt >= 0 && arguments.argumentLength(nameAt) > ClientCommands.LONGEST_NAME) {
            client.replyError(ErrorTexts.CLIENT_NAME);
            return;
        }
        final byte[] name =
                nameAt < 0 ? null : Memory.toBytes(arguments.argument(nameAt), arguments.argumentLength(nameAt));
        if (request.hasAuth()) {
            client.edge()
                    .authentication()
                    .check(
                            client,
                            arguments.argument(request.userIndex()),
                            arguments.argumentLength(request.userIndex()),
                            arguments.argument(request.passwordIndex()),
                            arguments.argumentLength(request.passwordIndex()),
                            refusal -> {
                                if (refusal == null) {
                                    welcome(client, protocol, name);
                                } else {
                                    client.replyError(refusal);
                                }
                            });
        } else if (!client.isAuthenticated()) {
            client.replyError(ErrorTexts.NOAUTH_HELLO);
        } else {
            welcome(client, protocol, name);
        }
    }

    private static void welcome(final ClientSession client, final int protocol, final byte[] name) {
        if (name != null) {
            client.attributes().name(name);
        }
        client.protocol(protocol);
        final ReplyWriter reply = client.reply();
        reply.map(FIELDS);
        reply.bulkAscii("server");
        reply.bulkAscii("goblin-core-bluefield");
        reply.bulkAscii("version");
        reply.bulkAscii(RedisVersion.TEXT);
        reply.bulkAscii("proto");
        reply.integer(protocol);
        reply.bulkAscii("id");
        reply.integer(client.id());
        reply.bulkAscii("mode");
        reply.bulkAscii("standalone");
        reply.bulkAscii("role");
        reply.bulkAscii("master");
        reply.bulkAscii("modules");
        reply.array(0);
        client.sendReply();
    }
}
