// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:6379",
        "::1, [::1]:6379",
        "::, [::]:6379",
        "2001:db8::, [2001:db8::]:6379",
        "2001:db8:0:0:1:0:0:1, [2001:db8::1:0:0:1]:6379",
        "2001:db8:0:1:1:1:1:1, [2001:db8:0:1:1:1:1:1]:6379",
        "fe80:0:0:a:0:0:0:9, [fe80:0:0:a::9]:6379",
        "1:2:3:4:5:6:7:8, [1:2:3:4:5:6:7:8]:6379",
        "::ffff:10.0.0.1, 10.0.0.1:6379"
    })
    void shouldBeWrittenAsPeopleWriteIt(final String literal, final String expected) {
        assertThat(new Endpoint.Tcp(InetAddress.ofLiteral(literal), 6379)).hasToString(expected);
    }

    @Test
    void shouldNameUnixSocketsByTheirPath() {
        assertThat(new Endpoint.Unix(Path.of("/run/x.sock"))).hasToString("unix:/run/x.sock");
    }

    @Test
    void shouldRefusePortsThatDoNotExist() {
        final InetAddress address = InetAddress.getLoopbackAddress();
        assertThatThrownBy(() -> new Endpoint.Tcp(address, 65536)).hasMessageContaining("65536");
        assertThatThrownBy(() -> new Endpoint.Tcp(address, -1)).hasMessageContaining("-1");
    }
}
