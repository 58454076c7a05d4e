// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class EndingTest {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Ending ending = new Ending(new NvmfLog(new PrintStream(lines, true, StandardCharsets.UTF_8)));
    private final List<String> done = new ArrayList<>();

    @Test
    void shouldBeCleanWhenAllStepsAre() {
        ending.step("one", 10, () -> done.add("one"));
        ending.step("two", 10, () -> done.add("two"));

        assertThat(done).containsExactly("one", "two");
        assertThat(ending.isClean()).isTrue();
        assertThat(lines.size()).isZero();
    }

    @Test
    void shouldGoOnAfterAStepThatFails() {
        ending.step("one", 10, () -> {
            throw new StackOverflowError("of a test");
        });
        ending.step("two", 10, () -> done.add("two"));

        assertThat(done).containsExactly("two");
        assertThat(ending.isClean()).isFalse();
        assertThat(text()).contains("one failed").contains("of a test").hasLineCount(1);
    }

    @Test
    void shouldGoOnAfterAStepThatHangs() {
        final CountDownLatch never = new CountDownLatch(1);
        ending.step("one", 0, () -> {
            try {
                never.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        ending.step("two", 10, () -> done.add("two"));
        never.countDown();

        assertThat(done).containsExactly("two");
        assertThat(ending.isClean()).isFalse();
        assertThat(text()).contains("one took more than 0 s").hasLineCount(1);
    }

    private String text() {
        return lines.toString(StandardCharsets.UTF_8).strip();
    }
}
