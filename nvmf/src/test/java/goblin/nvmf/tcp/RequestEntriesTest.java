// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestEntriesTest {
    @Test
    void shouldBeNothingWithoutRequests() {
        assertThat(RequestEntries.of(List.of(new EntryCounts()))).isEqualTo(new RequestEntries(0, 0, 0, 0));
        assertThat(RequestEntries.of(List.of())).isEqualTo(new RequestEntries(0, 0, 0, 0));
    }

    @Test
    void shouldRankOverAllLoops() {
        final EntryCounts one = new EntryCounts();
        final EntryCounts other = new EntryCounts();
        for (int i = 0; i < 50; i++) {
            one.add(3);
            other.add(i < 49 ? 91 : 1024);
        }
        assertThat(RequestEntries.of(List.of(one, other))).isEqualTo(new RequestEntries(100, 3, 91, 1024));
        one.add(3);
        other.add(4);
        other.add(4);
        assertThat(RequestEntries.of(List.of(one, other)).p50()).isEqualTo(4);
    }
}
