// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulingTest {
    private static final int POLICY_FIELD = 41;

    @Test
    void shouldAgreeWithWhatTheKernelSaysOfThisThread() throws IOException {
        final String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        // The name in parentheses may hold blanks; the fields behind it are counted from 3.
        final List<String> fields =
                List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" "));
        final int policy = Integer.parseInt(fields.get(POLICY_FIELD - 3));

        assertThat(Scheduling.isRealTime()).isEqualTo(policy != 0 && policy != 3 && policy != 5);
    }
}
