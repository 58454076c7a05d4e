// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.system.rig.Side;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Lettuce through the edge. */
@ParameterizedClass
@EnumSource(ProtocolVersion.class)
final class LettuceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Parameter
    private ProtocolVersion protocol;

    private RedisClient client;
    private RedisCommands<String, String> redis;

    @BeforeEach
    void connect() {
        client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(Side.forRealClients().port())
                .withClientName("lettuce")
                .withTimeout(TIMEOUT)
                .build());
        client.setOptions(ClientOptions.builder()
                .protocolVersion(protocol)
                .autoReconnect(false)
                .build());
        redis = client.connect().sync();
        redis.flushall();
    }

    @AfterEach
    void close() {
        client.shutdown(Duration.ZERO, TIMEOUT);
    }

    @Test
    void shouldConnectWithANameAndSayIt() {
        assertThat(redis.clientGetname()).isEqualTo("lettuce");
        assertThat(redis.clientInfo()).contains("lib-name=Lettuce");
    }

    @Test
    void shouldPipeline() throws Exception {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.setAutoFlushCommands(false);
            final RedisAsyncCommands<String, String> async = connection.async();
            final List<RedisFuture<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                answers.add(async.incr("n"));
            }
            connection.flushCommands();

            for (int i = 0; i < 1000; i++) {
                assertThat(answers.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void shouldRunTransactionsAndNoticeWatchedChanges() {
        redis.multi();
        redis.set("k", "1");
        redis.incr("k");
        final TransactionResult done = redis.exec();
        assertThat(done.<Object>get(0)).isEqualTo("OK");
        assertThat(done.<Object>get(1)).isEqualTo(2L);

        redis.watch("k");
        client.connect().sync().set("k", "9");
        redis.multi();
        redis.set("k", "lost");
        assertThat(redis.exec().wasDiscarded()).isTrue();
        assertThat(redis.get("k")).isEqualTo("9");
    }

    @Test
    void shouldWaitInABlockingPop() throws Exception {
        final RedisFuture<KeyValue<String, String>> popped =
                client.connect().async().blpop(10, "L");
        Awaitility.await().until(() -> redis.info("clients").contains("blocked_clients:1"));
        redis.rpush("L", "v");

        assertThat(popped.get(20, TimeUnit.SECONDS)).isEqualTo(KeyValue.just("L", "v"));
    }

    @Test
    void shouldRunScriptsAndReportTheirErrors() {
        final List<Object> answer =
                redis.eval("return {KEYS[1], ARGV[1], 3}", ScriptOutputType.MULTI, new String[] {"k"}, "a");
        assertThat(answer).containsExactly("k", "a", 3L);
        final String digest = redis.scriptLoad("return redis.call('incr', KEYS[1])");
        assertThat(redis.<Long>evalsha(digest, ScriptOutputType.INTEGER, "n")).isEqualTo(1L);
        assertThatThrownBy(() -> redis.eval("return redis.error_reply('MY words')", ScriptOutputType.STATUS))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessage("MY words");
    }

    @Test
    void shouldSubscribeAndUnsubscribe() throws Exception {
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub()) {
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(final String channel, final String message) {
                    events.add("message " + channel + " " + message);
                }

                @Override
                public void message(final String pattern, final String channel, final String message) {
                    events.add("pmessage " + pattern + " " + channel + " " + message);
                }

                @Override
                public void smessage(final String channel, final String message) {
                    events.add("smessage " + channel + " " + message);
                }
            });
            connection.sync().subscribe("prices");
            connection.sync().psubscribe("pri*");
            connection.sync().ssubscribe("prices");

            assertThat(redis.publish("prices", "edge")).isEqualTo(2);
            assertThat(redis.spublish("prices", "shard")).isEqualTo(1);
            assertThat(List.of(next(events), next(events), next(events)))
                    .containsExactly("message prices edge", "pmessage pri* prices edge", "smessage prices shard");
            if (protocol == ProtocolVersion.RESP3) {
                assertThat(connection.sync().ping()).isEqualTo("PONG");
            }
            connection.sync().unsubscribe("prices");
            connection.sync().punsubscribe("pri*");
            assertThat(redis.publish("prices", "nobody")).isZero();
        }
    }

    @Test
    void shouldStoreAValueOfHundredMebibytes() {
        final byte[] key = "big".getBytes(StandardCharsets.US_ASCII);
        final byte[] value = new byte[100 << 20];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) (i * 31 + (i >> 13));
        }
        final RedisCommands<byte[], byte[]> bytes =
                client.connect(ByteArrayCodec.INSTANCE).sync();

        assertThat(bytes.set(key, value)).isEqualTo("OK");
        assertThat(Arrays.equals(bytes.get(key), value)).isTrue();
        assertThat(bytes.del(key)).isEqualTo(1);
    }

    private static String next(final BlockingQueue<String> events) throws InterruptedException {
        return events.poll(20, TimeUnit.SECONDS);
    }
}
