// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineMemoryTest {
    private static final List<String> FACTS = List.of(
            "MemTotal:       24684084 kB",
            "MemFree:        22818052 kB",
            "MemAvailable:   22767068 kB",
            "SwapCached:            5 kB",
            "SwapTotal:           100 kB",
            "HugePages_Total:       0");

    @Test
    void shouldAddSwapToWhatThereIs() {
        assertThat(MachineMemory.parse(FACTS, List.of("max")))
                .isEqualTo(new MachineMemory(24_684_184L << 10, 22_767_068L << 10));
    }

    @Test
    void shouldHeedTheLimitOfTheGroup() {
        assertThat(MachineMemory.parse(FACTS, List.of("1073741824"))).isEqualTo(new MachineMemory(1 << 30, 1 << 30));
    }

    @Test
    void shouldKnowNoLimitWhereNothingIsTold() {
        assertThat(MachineMemory.parse(List.of(), List.of()))
                .isEqualTo(new MachineMemory(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void shouldAskThisMachine() {
        assertThat(MachineMemory.now().total()).isBetween(64L << 20, 1L << 50);
        assertThat(MachineMemory.now().available())
                .isLessThanOrEqualTo(MachineMemory.now().total());
    }
}
