// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.system.rig.Side;
import java.time.Duration;
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
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

/** Jedis through the edge. */
@ParameterizedClass
@EnumSource(
        value = RedisProtocol.class,
        names = {"RESP2", "RESP3"})
final class JedisTest {
    @Parameter
    private RedisProtocol protocol;

    private Jedis jedis;

    @BeforeEach
    void connect() {
        jedis = open();
        jedis.flushAll();
    }

    @AfterEach
    void close() {
        jedis.close();
    }

    @Test
    void shouldConnectWithANameAndSayIt() {
        assertThat(jedis.clientGetname()).isEqualTo("jedis-" + protocol);
        assertThat(jedis.clientInfo()).contains("lib-name=jedis");
        assertThat(jedis.ping()).isEqualTo("PONG");
    }

    @Test
    void shouldPipeline() {
        final Pipeline pipeline = jedis.pipelined();
        for (int i = 0; i < 1000; i++) {
            pipeline.incr("n");
        }
        final Response<String> value = pipeline.get("n");
        pipeline.sync();

        assertThat(value.get()).isEqualTo("1000");
    }

    @Test
    void shouldRunTransactionsAndNoticeWatchedChanges() {
        jedis.watch("k");
        try (AbstractTransaction transaction = jedis.multi()) {
            transaction.set("k", "1");
            final Response<Long> incremented = transaction.incr("k");
            assertThat(transaction.exec()).containsExactly("OK", 2L);
            assertThat(incremented.get()).isEqualTo(2);
        }

        jedis.watch("k");
        try (Jedis rival = open()) {
            rival.set("k", "9");
        }
        try (AbstractTransaction transaction = jedis.multi()) {
            transaction.set("k", "lost");
            assertThat(transaction.exec()).isNull();
        }
        assertThat(jedis.get("k")).isEqualTo("9");
    }

    @Test
    void shouldWaitInABlockingPop() throws InterruptedException {
        final BlockingQueue<List<String>> popped = new LinkedBlockingQueue<>();
        final Thread waiter = Thread.ofVirtual().start(() -> {
            try (Jedis blocking = open()) {
                popped.add(blocking.blpop(10, "L"));
            }
        });
        Awaitility.await().until(() -> jedis.info("clients").contains("blocked_clients:1"));
        jedis.rpush("L", "v");

        assertThat(popped.poll(10, TimeUnit.SECONDS)).containsExactly("L", "v");
        waiter.join();
    }

    @Test
    void shouldRunScriptsAndReportTheirErrors() {
        assertThat(jedis.eval("return {KEYS[1], ARGV[1], 3}", List.of("k"), List.of("a")))
                .isEqualTo(List.of("k", "a", 3L));
        final String digest = jedis.scriptLoad("return redis.call('incr', KEYS[1])");
        assertThat(jedis.evalsha(digest, 1, "n")).isEqualTo(1L);
        assertThatThrownBy(() -> jedis.eval("return redis.error_reply('MY words')"))
                .isInstanceOf(JedisDataException.class)
                .hasMessage("MY words");
    }

    @Test
    void shouldSubscribeAndUnsubscribe() throws InterruptedException {
        final Recorder recorder = new Recorder();
        final Thread subscriber = Thread.ofVirtual().start(() -> {
            try (Jedis subscribing = open()) {
                subscribing.subscribe(recorder, "prices", "news");
            }
        });
        assertThat(recorder.next()).isEqualTo("subscribe prices 1");
        assertThat(recorder.next()).isEqualTo("subscribe news 2");
        recorder.psubscribe("pri*");
        assertThat(recorder.next()).isEqualTo("psubscribe pri* 3");

        assertThat(jedis.publish("prices", "edge")).isEqualTo(2);
        assertThat(List.of(recorder.next(), recorder.next()))
                .containsExactly("message prices edge", "pmessage pri* prices edge");
        try (Jedis host = new Jedis("127.0.0.1", Side.forRealClients().hostPort())) {
            assertThat(host.publish("news", "host")).isEqualTo(1);
        }
        assertThat(recorder.next()).isEqualTo("message news host");
        if (protocol == RedisProtocol.RESP2) {
            // Jedis knows a subscriber's pong in its array form only.
            recorder.ping("still there");
            assertThat(recorder.next()).isEqualTo("pong still there");
        }

        recorder.unsubscribe();
        recorder.punsubscribe();
        subscriber.join(Duration.ofSeconds(10));
        assertThat(subscriber.isAlive()).isFalse();
        assertThat(jedis.publish("prices", "nobody")).isZero();
    }

    @Test
    void shouldStoreAValueOfHundredMebibytes() {
        final byte[] key = {'b', 'i', 'g'};
        final byte[] value = new byte[100 << 20];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) (i * 31 + (i >> 13));
        }

        assertThat(jedis.set(key, value)).isEqualTo("OK");
        assertThat(Arrays.equals(jedis.get(key), value)).isTrue();
        assertThat(jedis.del(key)).isEqualTo(1);
    }

    private Jedis open() {
        return new Jedis(
                new HostAndPort("127.0.0.1", Side.forRealClients().port()),
                DefaultJedisClientConfig.builder()
                        .protocol(protocol)
                        .clientName("jedis-" + protocol)
                        .timeoutMillis(20_000)
                        .build());
    }

    private static final class Recorder extends JedisPubSub {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return events.poll(20, TimeUnit.SECONDS);
        }

        @Override
        public void onMessage(final String channel, final String message) {
            events.add("message " + channel + " " + message);
        }

        @Override
        public void onPMessage(final String pattern, final String channel, final String message) {
            events.add("pmessage " + pattern + " " + channel + " " + message);
        }

        @Override
        public void onSubscribe(final String channel, final int count) {
            events.add("subscribe " + channel + " " + count);
        }

        @Override
        public void onPSubscribe(final String pattern, final int count) {
            events.add("psubscribe " + pattern + " " + count);
        }

        @Override
        public void onPong(final String message) {
            events.add("pong " + message);
        }
    }
}
