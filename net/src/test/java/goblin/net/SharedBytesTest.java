// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SharedBytesTest {
    private final SharedBytes.Pool pool = new SharedBytes.Pool();
    private final List<Long> released = new ArrayList<>();
    private final long foreign = Memory.allocate(8);

    @AfterEach
    void free() {
        pool.close();
        Memory.free(foreign);
    }

    @Test
    void shouldTellTheLenderOnceWhenTheLastHoldIsGivenUp() {
        final SharedBytes lent = pool.lend(foreign, 8, released::add, 7);
        lent.retain();
        assertThat(lent.address()).isEqualTo(foreign);
        assertThat(lent.length()).isEqualTo(8);
        assertThat(pool.liveBytes()).isEqualTo(8);

        lent.release();
        assertThat(released).isEmpty();

        lent.release();
        assertThat(released).containsExactly(7L);
        assertThat(pool.liveBytes()).isZero();
        assertThatThrownBy(lent::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNeitherFreeNorKeepLentMemory() {
        final long before = Memory.allocatedBytes();
        pool.lend(foreign, 8, released::add, 1).release();
        final SharedBytes own = pool.allocate(8);
        assertThat(own.address()).isNotEqualTo(foreign);
        own.release();
        pool.close();
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Test
    void shouldUseTheObjectAnewAlsoWithinTheLastRelease() {
        final List<SharedBytes> again = new ArrayList<>();
        final SharedBytes lent =
                pool.lend(foreign, 4, key -> again.add(pool.lend(foreign + 4, 4, released::add, key + 1)), 1);
        lent.release();
        assertThat(again).hasSize(1);
        assertThat(again.getFirst()).isSameAs(lent);
        assertThat(lent.address()).isEqualTo(foreign + 4);
        lent.release();
        assertThat(released).containsExactly(2L);
    }
}
