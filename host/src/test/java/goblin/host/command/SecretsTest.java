// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();

    @ParameterizedTest
    @ValueSource(strings = {"AUTH default hunter2", "AUTH a b hunter2", "HELLO 3 AUTH u hunter2", "HELLO 3 X hunter2"})
    void shouldWipeAPasswordWhereItWasReceived(final String line) {
        final byte[] bytes = line.getBytes(ISO_8859_1);
        final long address = Memory.allocate(bytes.length);
        Memory.copyIn(bytes, 0, address, bytes.length);
        final Arguments args = new Arguments();
        int start = 0;
        for (final String word : line.split(" ", -1)) {
            args.add(address + start, word.length());
            start += word.length() + 1;
        }
        rig.server.dispatcher().execute(client, args, rig.server.table().find(args));
        assertThat(new String(Memory.toBytes(address, bytes.length), ISO_8859_1))
                .startsWith(line.substring(0, 4))
                .doesNotContain("hunter2");
        Memory.free(address);
    }
}
