// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import goblin.net.Endpoint;
import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpOptionsTest {
    @ParameterizedTest
    @CsvSource({"16, true", "16, false", "17, true"})
    void shouldRefuseAnAlignmentThatNoCapsuleCanHave(final int alignment, final boolean headerDigest) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(alignment, headerDigest))
                .withMessageContaining("alignment of " + alignment);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "15, true", "17, false", "18, true", "31, true", "31, false"})
    void shouldTakeTheOthers(final int alignment, final boolean headerDigest) {
        assertThatCode(() -> options(alignment, headerDigest)).doesNotThrowAnyException();
    }

    private static TcpOptions options(final int alignment, final boolean headerDigest) {
        final TcpOptions base = TcpOptions.defaults(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0));
        return new TcpOptions(
                base.listen(),
                base.cpus(),
                base.idle(),
                base.maxIoBytes(),
                base.maxDataBytes(),
                base.inCapsuleBytes(),
                alignment,
                headerDigest,
                base.dataDigest(),
                base.transferBytes(),
                base.receiveBytes(),
                base.receive(),
                base.sockets(),
                base.files(),
                base.maxConnections(),
                base.checking());
    }
}
