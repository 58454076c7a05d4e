// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SortTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();

    @Test
    void shouldAnswerTheRestWhenTheLimitIsTheLargestNumber() {
        client.run("RPUSH l 3 1 2");
        assertThat(client.run("SORT l LIMIT 1 9223372036854775807")).isEqualTo("*2 $1 2 $1 3");
        assertThat(client.run("SORT l LIMIT 1 1")).isEqualTo("*1 $1 2");
        assertThat(client.run("SORT l LIMIT 5 1")).isEqualTo("*0");
    }
}
