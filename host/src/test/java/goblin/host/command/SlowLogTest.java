// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SlowLogTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();

    @Test
    void shouldShowNoPasswordOfALogin() {
        client.run("CONFIG SET slowlog-log-slower-than 0");
        client.run("AUTH default hunter2");
        client.run("HELLO 2 AUTH default hunter2");
        client.run("HELLO 2 hunter2 AUTH default");
        assertThat(client.run("SLOWLOG GET"))
                .doesNotContain("hunter2")
                .contains("$5 HELLO $1 2 $10 (redacted) $10 (redacted)")
                .contains("$4 AUTH $10 (redacted)");
    }
}
