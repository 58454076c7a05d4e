// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.host.value.EncodingLimits;
import goblin.host.value.SortedSetValue;
import goblin.net.linux.Memory;
import org.junit.jupiter.api.Test;

final class MemberRangeTest {
    private final SortedSetValue set = new SortedSetValue(new EncodingLimits());

    private interface Parser {
        MemberRange parse(long low, int lowLength, long high, int highLength);
    }

    private static MemberRange parse(Parser parser, String low, String high) {
        long address = Memory.allocate(64);
        try {
            Memory.copyIn(low.getBytes(ISO_8859_1), 0, address, low.length());
            Memory.copyIn(high.getBytes(ISO_8859_1), 0, address + 32, high.length());
            return parser.parse(address, low.length(), address + 32, high.length());
        } finally {
            Memory.free(address);
        }
    }

    private int size(MemberRange range) {
        return set.order().countBefore(range::isPassed) - set.order().countBefore(range::isStarted);
    }

    @Test
    void shouldIncludeOrExcludeTheEndsOfScores() {
        for (int i = 1; i <= 5; i++) {
            set.append(("m" + i).getBytes(ISO_8859_1), i);
        }
        assertThat(size(parse(ScoreRange::parse, "2", "4"))).isEqualTo(3);
        assertThat(size(parse(ScoreRange::parse, "(2", "4"))).isEqualTo(2);
        assertThat(size(parse(ScoreRange::parse, "(2", "(4"))).isEqualTo(1);
        assertThat(size(parse(ScoreRange::parse, "-inf", "+inf"))).isEqualTo(5);
        assertThat(size(parse(ScoreRange::parse, "(5", "+inf"))).isZero();
    }

    @Test
    void shouldRefuseEndsThatAreNoScores() {
        assertThat(parse(ScoreRange::parse, "str", "1")).isNull();
        assertThat(parse(ScoreRange::parse, "1", "(")).isNull();
        assertThat(parse(ScoreRange::parse, "nan", "1")).isNull();
    }

    @Test
    void shouldIncludeOrExcludeTheEndsOfMembers() {
        for (String member : new String[] {"alpha", "bar", "cool", "down", "elephant"}) {
            set.append(member.getBytes(ISO_8859_1), 0);
        }
        assertThat(size(parse(LexRange::parse, "-", "[cool"))).isEqualTo(3);
        assertThat(size(parse(LexRange::parse, "(bar", "(down"))).isEqualTo(1);
        assertThat(size(parse(LexRange::parse, "[bar", "+"))).isEqualTo(4);
        assertThat(size(parse(LexRange::parse, "-", "+"))).isEqualTo(5);
        assertThat(size(parse(LexRange::parse, "[z", "+"))).isZero();
    }

    @Test
    void shouldRefuseEndsThatAreNoMembers() {
        assertThat(parse(LexRange::parse, "foo", "[bar")).isNull();
        assertThat(parse(LexRange::parse, "[foo", "bar")).isNull();
        assertThat(parse(LexRange::parse, "+x", "[bar")).isNull();
        assertThat(parse(LexRange::parse, "[foo", "")).isNull();
    }
}
