// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransactionTest {
    private static final String ABORTED = "-EXECABORT Transaction discarded because of previous errors.";

    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();
    private final RigClient other = rig.client();

    @Test
    void shouldRunWhatWasQueuedAtOnce() {
        assertThat(client.run("MULTI")).isEqualTo("+OK");
        assertThat(client.run("SET k 1")).isEqualTo("+QUEUED");
        assertThat(client.run("INCR k")).isEqualTo("+QUEUED");
        assertThat(other.run("EXISTS k")).isEqualTo(":0");
        assertThat(client.run("EXEC")).isEqualTo("*2 +OK :2");
        assertThat(client.run("EXEC")).isEqualTo("-ERR EXEC without MULTI");
    }

    @Test
    void shouldAnswerAnEmptyTransactionWithAnEmptyArray_P53() {
        client.run("MULTI");
        assertThat(client.run("EXEC")).isEqualTo("*0");
    }

    @Test
    void shouldGoOnBehindAFailingCommand() {
        client.run("SET k text");
        client.run("MULTI");
        client.run("LPUSH k x");
        client.run("SET j 1");
        assertThat(client.run("EXEC")).isEqualTo("*2 -" + Errors.WRONG_TYPE + " +OK");
    }

    @Test
    void shouldAbortAfterARefusedCommand_P54() {
        client.run("MULTI");
        assertThat(client.run("NOSUCH")).startsWith("-ERR unknown command 'NOSUCH'");
        assertThat(client.run("SET k 1")).isEqualTo("+QUEUED");
        assertThat(client.run("EXEC")).isEqualTo(ABORTED);
        assertThat(client.run("EXISTS k")).isEqualTo(":0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MULTI", "WATCH k", "SUBSCRIBE c", "UNSUBSCRIBE", "HELLO 3", "AUTH x", "SAVE", "SHUTDOWN", "SYNC"
            })
    void shouldRefuseWhatMayNotBeQueued_P51(final String line) {
        client.run("MULTI");
        assertThat(client.run(line)).isEqualTo("-" + Errors.NO_MULTI);
        assertThat(client.run("EXEC")).isEqualTo(ABORTED);
    }

    @Test
    void shouldAbortWhenAWatchedKeyChanged_P51() {
        client.run("WATCH k");
        other.run("SET k 2");
        client.run("MULTI");
        client.run("GET k");
        assertThat(client.run("EXEC")).isEqualTo("*-1");
        client.run("HELLO 3");
        client.run("WATCH k");
        other.run("DEL k");
        client.run("MULTI");
        assertThat(client.run("EXEC")).isEqualTo("_");
    }

    @Test
    void shouldForgetWatchedKeysAtUnwatchAndDiscard_P51() {
        client.run("WATCH k");
        client.run("UNWATCH");
        other.run("SET k 3");
        client.run("MULTI");
        client.run("PING");
        assertThat(client.run("EXEC")).isEqualTo("*1 +PONG");
        client.run("WATCH k");
        other.run("SET k 4");
        client.run("MULTI");
        assertThat(client.run("DISCARD")).isEqualTo("+OK");
        client.run("MULTI");
        client.run("PING");
        assertThat(client.run("EXEC")).isEqualTo("*1 +PONG");
    }

    @Test
    void shouldTakeExpiryOfAWatchedKeyForAChange() {
        client.run("SET k v PX 100");
        client.run("WATCH k");
        rig.advance(101);
        client.run("MULTI");
        client.run("PING");
        assertThat(client.run("EXEC")).isEqualTo("*-1");
    }

    @Test
    void shouldNotTakeRemovalOfAKeyThatWasStaleAlreadyForAChange() {
        client.run("SET k v PX 100");
        rig.server.keyspace().setActiveExpiry(false);
        rig.advance(101);
        client.run("WATCH k");
        assertThat(other.run("GET k")).isEqualTo("$-1");
        client.run("MULTI");
        client.run("PING");
        assertThat(client.run("EXEC")).isEqualTo("*1 +PONG");
    }

    @Test
    void shouldTakeFlushingForAChangeOfKeysThatAreThere() {
        client.run("SET k v");
        client.run("WATCH k");
        other.run("FLUSHALL");
        client.run("MULTI");
        assertThat(client.run("EXEC")).isEqualTo("*-1");
        client.run("WATCH missing");
        other.run("FLUSHALL");
        client.run("MULTI");
        assertThat(client.run("EXEC")).isEqualTo("*0");
    }

    @Test
    void shouldRefuseWritesPastTheMemoryLimit() {
        client.run("SET k v");
        client.run("CONFIG SET maxmemory 1");
        assertThat(client.run("SET k w")).isEqualTo("-" + Errors.OOM);
        assertThat(client.run("GET k")).isEqualTo("$1 v");
        assertThat(client.run("DEL k")).isEqualTo(":1");
        client.run("CONFIG SET maxmemory 0");
        client.run("MULTI");
        client.run("SET k v");
        client.run("CONFIG SET maxmemory 1");
        assertThat(client.run("EXEC")).isEqualTo("*2 +OK +OK");
        client.run("CONFIG SET maxmemory 0");
        client.run("MULTI");
        client.run("SET k v");
        other.run("CONFIG SET maxmemory 1");
        assertThat(client.run("EXEC")).isEqualTo("-EXECABORT Transaction discarded because of: " + Errors.OOM);
        assertThat(client.run("EXEC")).isEqualTo("-ERR EXEC without MULTI");
    }
}
