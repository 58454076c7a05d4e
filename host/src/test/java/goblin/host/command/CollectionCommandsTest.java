// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CollectionCommandsTest {
    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();

    private void useResp3() {
        client.run("HELLO 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LPUSH k x",
                "LLEN k",
                "LRANGE k 0 -1",
                "HSET k f v",
                "HGETALL k",
                "SADD k m",
                "SINTER k",
                "SSCAN k 0",
                "ZADD k 1 m",
                "ZRANGE k 0 -1",
                "ZUNION 1 k",
                "BLPOP k 0",
                "LMPOP 1 k LEFT",
                "SPOP k",
                "HINCRBY k f 1"
            })
    void shouldRefuseKeysOfAnotherType(String line) {
        client.run("SET k string");
        assertThat(client.run(line)).isEqualTo("-" + Errors.WRONG_TYPE);
    }

    @Test
    void shouldRemoveEmptiedKeys() {
        client.run("RPUSH l a");
        client.run("HSET h f v");
        client.run("SADD s m");
        client.run("ZADD z 1 m");
        client.run("LPOP l");
        client.run("HDEL h f");
        client.run("SREM s m");
        client.run("ZREM z m");
        assertThat(client.run("EXISTS l h s z")).isEqualTo(":0");
    }

    @Test
    void shouldCountChangesByElements() {
        long before = rig.server.keyspace().changes();
        client.run("RPUSH l a b c");
        assertThat(rig.server.keyspace().changes() - before).isEqualTo(3);
        client.run("LMOVE l m LEFT LEFT");
        assertThat(rig.server.keyspace().changes() - before).isEqualTo(4);
        client.run("LPOP m");
        assertThat(rig.server.keyspace().changes() - before).isEqualTo(5);
    }

    @Test
    void shouldScanElementsThatMatch() {
        client.call("HSET", "h", "", "empty", "a", "1");
        assertThat(client.run("HSCAN h 0 MATCH *")).isEqualTo("*2 $1 0 *4 $0  $5 empty $1 a $1 1");
        assertThat(client.run("HSCAN h 0 MATCH a NOVALUES")).isEqualTo("*2 $1 0 *1 $1 a");
        assertThat(client.run("HSCAN h x")).isEqualTo("-ERR invalid cursor");
        assertThat(client.run("HSCAN h 0 COUNT 0")).isEqualTo("-ERR syntax error");
        assertThat(client.run("HSCAN missing 0 COUNT 0")).isEqualTo("*2 $1 0 *0");
    }

    @Test
    void shouldAnswerListsAsRedisDoes() {
        assertThat(client.run("RPUSH l a b c d")).isEqualTo(":4");
        assertThat(client.run("LRANGE l 1 -2")).isEqualTo("*2 $1 b $1 c");
        assertThat(client.run("LRANGE l 5 9")).isEqualTo("*0");
        assertThat(client.run("LINDEX l -1")).isEqualTo("$1 d");
        assertThat(client.run("LINDEX l 9")).isEqualTo("$-1");
        assertThat(client.run("LSET l 9 x")).isEqualTo("-ERR index out of range");
        assertThat(client.run("LINSERT l BEFORE c x")).isEqualTo(":5");
        assertThat(client.run("LPOS l x")).isEqualTo(":2");
        assertThat(client.run("LPOS l x COUNT 0")).isEqualTo("*1 :2");
        assertThat(client.run("LREM l 0 x")).isEqualTo(":1");
        assertThat(client.run("LPOP l 2")).isEqualTo("*2 $1 a $1 b");
        assertThat(client.run("LPOP l 0")).isEqualTo("*0");
        assertThat(client.run("LPOP missing 2")).isEqualTo("*-1");
        assertThat(client.run("LPOP missing")).isEqualTo("$-1");
        assertThat(client.run("LMPOP 2 missing l RIGHT COUNT 5")).isEqualTo("*2 $1 l *2 $1 d $1 c");
        assertThat(client.run("LTRIM l 0 0")).isEqualTo("+OK");
        assertThat(client.run("LPUSHX l x")).isEqualTo(":0");
    }

    @Test
    void shouldAnswerHashesAsRedisDoes() {
        assertThat(client.run("HSET h a 1 b 2")).isEqualTo(":2");
        assertThat(client.run("HMSET h a 3")).isEqualTo("+OK");
        assertThat(client.run("HGETALL h")).isEqualTo("*4 $1 a $1 3 $1 b $1 2");
        assertThat(client.run("HMGET h b x")).isEqualTo("*2 $1 2 $-1");
        assertThat(client.run("HINCRBY h a -5")).isEqualTo(":-2");
        assertThat(client.run("HINCRBYFLOAT h a 2.5")).isEqualTo("$3 0.5");
        assertThat(client.run("HINCRBY h a 1")).isEqualTo("-ERR hash value is not an integer");
        assertThat(client.run("HSTRLEN h a")).isEqualTo(":3");
        assertThat(client.run("HSCAN h 0 MATCH b*")).isEqualTo("*2 $1 0 *2 $1 b $1 2");
        assertThat(client.run("HRANDFIELD h 5 WITHVALUES")).startsWith("*4 ");
        useResp3();
        assertThat(client.run("HGETALL h")).isEqualTo("%2 $1 a $3 0.5 $1 b $1 2");
        assertThat(client.run("HGETALL missing")).isEqualTo("%0");
        assertThat(client.run("HRANDFIELD h 5 WITHVALUES")).startsWith("*2 *2 ");
    }

    @Test
    void shouldAnswerSetsAsRedisDoes() {
        client.run("SADD a 1 2 3");
        client.run("SADD b 2 3 4");
        assertThat(client.run("SADD a 3 4")).isEqualTo(":1");
        assertThat(client.run("SMISMEMBER a 1 9")).isEqualTo("*2 :1 :0");
        assertThat(client.run("SDIFF a b")).isEqualTo("*1 $1 1");
        assertThat(client.run("SINTERCARD 2 a b LIMIT 2")).isEqualTo(":2");
        assertThat(client.run("SUNIONSTORE d a b")).isEqualTo(":4");
        assertThat(client.run("SINTERSTORE d a missing")).isEqualTo(":0");
        assertThat(client.run("EXISTS d")).isEqualTo(":0");
        assertThat(client.run("SMOVE a b 1")).isEqualTo(":1");
        assertThat(client.run("SPOP b 10")).startsWith("*4 ");
        assertThat(client.run("SPOP b 10")).isEqualTo("*0");
        useResp3();
        assertThat(client.run("SMEMBERS missing")).isEqualTo("~0");
        assertThat(client.run("SDIFF a missing")).startsWith("~3 ");
        assertThat(client.run("SRANDMEMBER a 1")).startsWith("*1 ");
        assertThat(client.run("SPOP a 1")).startsWith("~1 ");
        assertThat(client.run("SPOP missing")).isEqualTo("_");
    }

    @Test
    void shouldAnswerSortedSetsAsRedisDoes() {
        assertThat(client.run("ZADD z 1 a 2 b 3.5 c")).isEqualTo(":3");
        assertThat(client.run("ZADD z XX CH 4 c 9 new")).isEqualTo(":1");
        assertThat(client.run("ZADD z NX INCR 1 a")).isEqualTo("$-1");
        assertThat(client.run("ZINCRBY z 0.5 a")).isEqualTo("$3 1.5");
        assertThat(client.run("ZRANGE z 0 -1 WITHSCORES")).isEqualTo("*6 $1 a $3 1.5 $1 b $1 2 $1 c $1 4");
        assertThat(client.run("ZRANGE z (4 -inf BYSCORE REV LIMIT 0 1")).isEqualTo("*1 $1 b");
        assertThat(client.run("ZREVRANGEBYSCORE z +inf 2")).isEqualTo("*2 $1 c $1 b");
        assertThat(client.run("ZRANK z b")).isEqualTo(":1");
        assertThat(client.run("ZREVRANK z b WITHSCORE")).isEqualTo("*2 :1 $1 2");
        assertThat(client.run("ZRANK z x WITHSCORE")).isEqualTo("*-1");
        assertThat(client.run("ZCOUNT z (1.5 4")).isEqualTo(":2");
        assertThat(client.run("ZRANGESTORE d z 0 1")).isEqualTo(":2");
        assertThat(client.run("ZPOPMIN d")).isEqualTo("*2 $1 a $3 1.5");
        assertThat(client.run("ZUNION 2 z d WEIGHTS 2 3 WITHSCORES")).isEqualTo("*6 $1 a $1 3 $1 c $1 8 $1 b $2 10");
        assertThat(client.run("ZINTERSTORE e 2 z d AGGREGATE MAX")).isEqualTo(":1");
        assertThat(client.run("ZDIFF 2 z d")).isEqualTo("*2 $1 a $1 c");
        assertThat(client.run("ZREMRANGEBYRANK z 0 0")).isEqualTo(":1");
        assertThat(client.run("ZMPOP 1 z MAX")).isEqualTo("*2 $1 z *1 *2 $1 c $1 4");
        client.run("ZADD z inf i");
        useResp3();
        assertThat(client.run("ZRANGE z 0 -1 WITHSCORES")).isEqualTo("*2 *2 $1 b ,2 *2 $1 i ,inf");
        assertThat(client.run("ZSCORE z b")).isEqualTo(",2");
        assertThat(client.run("ZPOPMAX z")).isEqualTo("*2 $1 i ,inf");
        assertThat(client.run("ZPOPMAX z 1")).isEqualTo("*1 *2 $1 b ,2");
    }

    @ParameterizedTest
    @CsvSource({
        "ZADD z NX XX 1 a, ERR XX and NX options at the same time are not compatible",
        "ZADD z GT LT 1 a, 'ERR GT, LT, and/or NX options at the same time are not compatible'",
        "ZADD z INCR 1 a 2 b, ERR INCR option supports a single increment-element pair",
        "ZADD z 1, ERR wrong number of arguments for 'zadd' command",
        "ZADD z 1 a 2, ERR syntax error",
        "ZADD z x a, ERR value is not a valid float",
        "ZRANGE z 0 1 LIMIT 0 1, 'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX'",
        "ZRANGE z - + BYLEX WITHSCORES, 'ERR syntax error, WITHSCORES not supported in combination with BYLEX'",
        "ZRANGEBYLEX z a b, ERR min or max not valid string range item",
        "ZUNION 0 z, ERR at least 1 input key is needed for 'zunion' command",
        "LPOS l a RANK -9223372036854775808, ERR value is out of range",
        "LMPOP 0 l LEFT, ERR numkeys should be greater than 0",
        "SINTERCARD 3 a b, ERR Number of keys can't be greater than number of args",
        "BITOP NOT d a b, ERR BITOP NOT must be called with a single source key.",
        "BITFIELD b GET u64 0, ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
    })
    void shouldWordErrorsAsRedisDoes(String line, String error) {
        assertThat(client.run(line)).startsWith("-" + error);
    }

    @Test
    void shouldWorkOnBits() {
        assertThat(client.run("SETBIT b 7 1")).isEqualTo(":0");
        assertThat(client.run("GETBIT b 7")).isEqualTo(":1");
        assertThat(client.run("BITCOUNT b")).isEqualTo(":1");
        assertThat(client.run("BITPOS b 0")).isEqualTo(":0");
        assertThat(client.run("BITFIELD b SET u8 0 255 GET u4 0 OVERFLOW FAIL INCRBY u8 0 1"))
                .isEqualTo("*3 :1 :15 $-1");
        assertThat(client.run("BITPOS b 0")).isEqualTo(":8");
        assertThat(client.run("BITPOS b 0 0 -1")).isEqualTo(":-1");
        assertThat(client.run("BITOP NOT c b")).isEqualTo(":1");
        assertThat(client.run("BITFIELD_RO c GET u8 #0")).isEqualTo("*1 :0");
        assertThat(client.run("BITFIELD i INCRBY i8 0 100 INCRBY i8 0 100 OVERFLOW SAT INCRBY i8 0 -128"))
                .isEqualTo("*3 :100 :-56 :-128");
    }

    @Test
    void shouldSortByScoresBytesAndOtherKeys() {
        client.run("RPUSH l 3 10 1");
        assertThat(client.run("SORT l")).isEqualTo("*3 $1 1 $1 3 $2 10");
        assertThat(client.run("SORT l DESC ALPHA LIMIT 0 2")).isEqualTo("*2 $1 3 $2 10");
        client.run("MSET w1 9 w3 5 w10 7");
        client.run("HSET h3 name three");
        assertThat(client.run("SORT l BY w* GET # GET h*->name")).isEqualTo("*6 $1 3 $5 three $2 10 $-1 $1 1 $-1");
        assertThat(client.run("SORT l BY nosort GET #")).isEqualTo("*3 $1 3 $2 10 $1 1");
        assertThat(client.run("SORT l STORE d")).isEqualTo(":3");
        assertThat(client.run("LRANGE d 0 -1")).isEqualTo("*3 $1 1 $1 3 $2 10");
        client.run("SADD set c a b");
        assertThat(client.run("SORT set BY nosort STORE d")).isEqualTo(":3");
        assertThat(client.run("LRANGE d 0 -1")).isEqualTo("*3 $1 a $1 b $1 c");
        client.run("RPUSH words b a");
        assertThat(client.run("SORT words")).isEqualTo("-ERR One or more scores can't be converted into double");
        assertThat(client.run("SORT missing STORE d")).isEqualTo(":0");
        assertThat(client.run("EXISTS d")).isEqualTo(":0");
    }
}
