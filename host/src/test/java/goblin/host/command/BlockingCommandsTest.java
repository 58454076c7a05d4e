// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockingCommandsTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient first = rig.client();
    private final RigClient second = rig.client();
    private final RigClient writer = rig.client();

    @Test
    void shouldPopAtOnceWhenThereIsSomething() {
        writer.run("RPUSH b x y");
        assertThat(first.run("BLPOP a b 0")).isEqualTo("*2 $1 b $1 x");
        assertThat(first.run("BRPOP a b 0")).isEqualTo("*2 $1 b $1 y");
        assertThat(writer.run("EXISTS b")).isEqualTo(":0");
    }

    @Test
    void shouldServeTheOldestWaiterFirst() {
        assertThat(first.run("BLPOP k 0")).isEmpty();
        assertThat(second.run("BLPOP k 0")).isEmpty();
        assertThat(first.isHeld()).isTrue();
        assertThat(writer.run("RPUSH k 1")).isEqualTo(":1");
        assertThat(first.received()).isEqualTo("*2 $1 k $1 1");
        assertThat(first.isHeld()).isFalse();
        assertThat(second.received()).isEmpty();
        writer.run("RPUSH k 2 3");
        assertThat(second.received()).isEqualTo("*2 $1 k $1 2");
        assertThat(writer.run("LRANGE k 0 -1")).isEqualTo("*1 $1 3");
    }

    @Test
    void shouldServeAfterTheWholeTransaction() {
        first.run("BLPOP k 0");
        writer.run("MULTI");
        writer.run("LPUSH k a");
        writer.run("DEL k");
        writer.run("EXEC");
        assertThat(first.received()).isEmpty();
        writer.run("MULTI");
        writer.run("LPUSH k a");
        writer.run("DEL k");
        writer.run("LPUSH k b");
        writer.run("EXEC");
        assertThat(first.received()).isEqualTo("*2 $1 k $1 b");
    }

    @Test
    void shouldFollowChainsOfMovesWithinOneCommand() {
        first.run("BLMOVE a b LEFT RIGHT 0");
        second.run("BLMOVE b c LEFT RIGHT 0");
        writer.run("RPUSH a x");
        assertThat(first.received()).isEqualTo("$1 x");
        assertThat(second.received()).isEqualTo("$1 x");
        assertThat(writer.run("LRANGE c 0 -1")).isEqualTo("*1 $1 x");
        assertThat(writer.run("EXISTS a b")).isEqualTo(":0");
    }

    @Test
    void shouldKeepTheElementWhenTheDestinationHasAnotherType() {
        writer.run("SET dst string");
        first.run("BRPOPLPUSH src dst 0");
        second.run("BLPOP src 0");
        writer.run("RPUSH src x");
        assertThat(first.received()).startsWith("-WRONGTYPE");
        assertThat(second.received()).isEqualTo("*2 $3 src $1 x");
    }

    @Test
    void shouldWaitOnWhenAKeyOfAnotherTypeAppears() {
        first.run("BLPOP k 0");
        second.run("BZPOPMIN k 0");
        writer.run("ZADD k 1 a");
        assertThat(first.received()).isEmpty();
        assertThat(second.received()).isEqualTo("*3 $1 k $1 a $1 1");
        writer.run("SET k string");
        assertThat(first.received()).isEmpty();
        writer.run("DEL k");
        writer.run("LPUSH k x");
        assertThat(first.received()).isEqualTo("*2 $1 k $1 x");
    }

    @Test
    void shouldPopNothingForAClientThatLeft() {
        first.run("BLPOP a k 0");
        first.disconnect();
        assertThat(writer.run("RPUSH k x")).isEqualTo(":1");
        assertThat(writer.run("LLEN k")).isEqualTo(":1");
        assertThat(rig.server.blocked().count()).isZero();
    }

    @Test
    void shouldAnswerNullAtTheTimeout() {
        first.run("BLPOP k 0.5");
        second.run("BLMOVE k d LEFT LEFT 1");
        rig.advance(499);
        assertThat(first.received()).isEmpty();
        rig.advance(1);
        assertThat(first.received()).isEqualTo("*-1");
        rig.advance(500);
        assertThat(second.received()).isEqualTo("*-1");
        writer.run("RPUSH k x");
        assertThat(writer.run("LLEN k")).isEqualTo(":1");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, ERR timeout is negative",
        "x, ERR timeout is not a float or out of range",
        "0x7FFFFFFFFFFFFF, ERR timeout is out of range",
        "1e300, ERR timeout is out of range"
    })
    void shouldRefuseTimeouts(String timeout, String error) {
        assertThat(first.run("BLPOP k " + timeout)).isEqualTo("-" + error);
        assertThat(first.run("BZMPOP " + timeout + " 1 k MIN")).isEqualTo("-" + error);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void shouldNotBlockInsideATransaction() {
        first.run("MULTI");
        first.run("BLPOP k 0");
        first.run("BLMOVE k d LEFT LEFT 0");
        first.run("BZMPOP 0 1 k MIN");
        assertThat(first.run("EXEC")).isEqualTo("*3 *-1 $-1 *-1");
    }

    @Test
    void shouldEndTheWaitOnRequest() {
        first.run("BLPOP k 0");
        second.run("BZPOPMAX k 0");
        rig.server.blocked().unblock(first, false);
        rig.server.blocked().unblock(second, true);
        assertThat(first.received()).isEqualTo("*-1");
        assertThat(second.received()).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK");
        writer.run("LPUSH k x");
        assertThat(writer.run("LLEN k")).isEqualTo(":1");
    }

    @Test
    void shouldServeOneElementToOneOfManyKeysOnce() {
        first.run("BLPOP a b a 0");
        writer.run("MULTI");
        writer.run("RPUSH b 1");
        writer.run("RPUSH a 2");
        writer.run("EXEC");
        assertThat(first.received()).isEqualTo("*2 $1 a $1 2");
        assertThat(writer.run("LRANGE b 0 -1")).isEqualTo("*1 $1 1");
    }

    @Test
    void shouldPopSeveralForCountedForms() {
        first.run("BLMPOP 0 2 a b LEFT COUNT 2");
        writer.run("RPUSH b 1 2 3");
        assertThat(first.received()).isEqualTo("*2 $1 b *2 $1 1 $1 2");
        second.run("BZMPOP 0 1 z MAX COUNT 10");
        writer.run("ZADD z 1 x 2 y");
        assertThat(second.received()).isEqualTo("*2 $1 z *2 *2 $1 y $1 2 *2 $1 x $1 1");
    }

    @Test
    void shouldServeEveryWaiterThatElementsSufficeFor() {
        RigClient[] waiters = new RigClient[10];
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = rig.client();
            waiters[i].run("BLPOP k 0");
        }
        writer.run("RPUSH k 0 1 2 3 4 5 6");
        for (int i = 0; i < waiters.length; i++) {
            assertThat(waiters[i].received()).isEqualTo(i < 7 ? "*2 $1 k $1 " + i : "");
        }
        assertThat(rig.server.blocked().count()).isEqualTo(3);
    }
}
