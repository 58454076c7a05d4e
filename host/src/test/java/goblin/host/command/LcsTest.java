// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LcsTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();

    @Test
    void shouldFindTheLongestCommonSubsequenceAndItsRuns() {
        client.run("MSET a ohmytext b mynewtext");
        assertThat(client.run("LCS a b")).isEqualTo("$6 mytext");
        assertThat(client.run("LCS a b LEN")).isEqualTo(":6");
        assertThat(client.run("LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN"))
                .isEqualTo("*4 $7 matches *1 *3 *2 :4 :7 *2 :5 :8 :4 $3 len :6");
    }

    @Test
    void shouldAnswerAtOnceWhenOneStringIsEmptyHoweverLongTheOtherIs() {
        client.run("SETRANGE a 70000000 x");
        assertThat(client.run("LCS a none LEN")).isEqualTo(":0");
        assertThat(client.run("LCS none a")).isEqualTo("$0");
        assertThat(client.run("LCS none a IDX")).isEqualTo("*4 $7 matches *0 $3 len :0");
    }

    @Test
    void shouldRefuseATableThatTheHeapMayNotHold() {
        client.run("SETRANGE a 9000 x");
        client.run("SETRANGE b 9000 y");
        assertThat(client.run("LCS a b")).startsWith("-ERR Insufficient memory");
    }
}
