// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CtlMainTest {
    @TempDir
    private Path folder;

    @Test
    void shouldNotWaitForEverForATargetThatHangs() throws IOException {
        final Path path = folder.resolve("control");
        try (ServerSocketChannel hung = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            hung.bind(UnixDomainSocketAddress.of(path));

            assertThat(CtlMain.run(List.of("--control", path.toString(), "--timeout", "1", "list")))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--timeout", "--timeout 0 list", "--timeout x list", "--timeout 5", "list --timeout 5"})
    void shouldRefuseOtherTimes(final String words) {
        assertThat(CtlMain.run(List.of(("--control /none " + words).split(" "))))
                .isEqualTo(2);
    }
}
