// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublicationsTest {
    @Test
    void shouldNumberCommandsFramesAndNames() {
        try (Publications publications = Publications.toPatterns("c:#####:x", "c:#####:*", 8, 12, 2)) {
            publications.next();

            assertThat(text(publications.commands(), publications.commandsLength()))
                    .isEqualTo(command("c:00000:x", "000000000000") + command("c:00007:x", "000000000001"));
            assertThat(text(publications.frames(), publications.framesLength()))
                    .endsWith("*4\r\n$8\r\npmessage\r\n$9\r\nc:00007:*\r\n$9\r\nc:00007:x\r\n$12\r\n000000000001\r\n");
            assertThat(publications.replies()).asString().isEqualTo(":1\r\n:1\r\n");
        }
    }

    @Test
    void shouldVisitEveryNameBeforeOneComesAgain() {
        final int names = 16_384;
        final Set<String> seen = new HashSet<>();
        try (Publications publications = Publications.toChannels("#####", names, 1, 1, 1)) {
            for (int i = 0; i < names; i++) {
                publications.next();
                seen.add(text(publications.commands(), publications.commandsLength())
                        .substring(21, 26));
            }
        }
        assertThat(seen).hasSize(names);
    }

    private static String command(final String channel, final String payload) {
        return new String(
                RespBytes.publish(RespBytes.ascii(channel), RespBytes.ascii(payload)), StandardCharsets.ISO_8859_1);
    }

    private static String text(final long address, final int length) {
        return new String(Memory.toBytes(address, length), StandardCharsets.ISO_8859_1);
    }
}
