// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TrackingTest {
    private static final String INVALID_K = ">2 $10 invalidate *1 $1 k";

    private final CommandRig rig = new CommandRig();
    private final RigClient client = rig.client();
    private final RigClient other = rig.client();

    @BeforeEach
    void speakResp3() {
        client.run("HELLO 3");
    }

    @Test
    void shouldTellOnceThatAKeyThatWasReadChanged() {
        client.run("CLIENT TRACKING ON");
        client.run("GET k");
        other.run("SET k 1");
        assertThat(client.received()).isEqualTo(INVALID_K);
        other.run("SET k 2");
        assertThat(client.received()).isEmpty();
    }

    @Test
    void shouldPutAnInvalidationBehindTheReplyOfTheOwnCommand_P63() {
        client.run("CLIENT TRACKING ON");
        client.run("GET k");
        assertThat(client.run("SET k 3")).isEqualTo("+OK " + INVALID_K);
        client.run("CLIENT TRACKING OFF");
        client.run("CLIENT TRACKING ON NOLOOP");
        client.run("GET k");
        assertThat(client.run("SET k 4")).isEqualTo("+OK");
    }

    @Test
    void shouldTellOfEveryKeyWithAPrefixWhenBroadcasting() {
        client.run("CLIENT TRACKING ON BCAST PREFIX a: PREFIX b:");
        other.run("MSET a:1 x c:1 y b:1 z");
        assertThat(client.received()).isEqualTo(">2 $10 invalidate *2 $3 a:1 $3 b:1");
        assertThat(client.run("CLIENT TRACKING ON BCAST PREFIX a:x")).contains("overlaps");
    }

    @Test
    void shouldRememberOnlyWhatWasAskedForWhenOptedIn() {
        client.run("CLIENT TRACKING ON OPTIN");
        client.run("GET k");
        other.run("SET k 1");
        assertThat(client.received()).isEmpty();
        client.run("CLIENT CACHING YES");
        client.run("GET k");
        client.run("GET j");
        other.run("MSET j 1 k 2");
        assertThat(client.received()).isEqualTo(INVALID_K);
    }

    @Test
    void shouldNotRememberWhatWasOptedOut() {
        client.run("CLIENT TRACKING ON OPTOUT");
        client.run("CLIENT CACHING NO");
        client.run("GET j");
        client.run("GET k");
        other.run("MSET j 1 k 2");
        assertThat(client.received()).isEqualTo(INVALID_K);
    }

    @Test
    void shouldSendInvalidationsToAnotherConnection() {
        final RigClient two = rig.client();
        other.run("SUBSCRIBE __redis__:invalidate");
        two.run("CLIENT TRACKING ON REDIRECT " + other.id());
        assertThat(two.run("CLIENT GETREDIR")).isEqualTo(":" + other.id());
        two.run("GET k");
        two.run("SET k 1");
        assertThat(other.received()).isEqualTo("*3 $7 message $20 __redis__:invalidate *1 $1 k");
    }

    @Test
    void shouldSayThatTheOtherConnectionIsGone() {
        client.run("CLIENT TRACKING ON REDIRECT " + other.id());
        final long id = other.id();
        other.disconnect();
        assertThat(client.received()).isEqualTo(">2 $21 tracking-redir-broken :" + id);
        assertThat(client.run("CLIENT TRACKINGINFO")).contains("broken_redirect");
    }

    @Test
    void shouldSendANullWhenEverythingIsFlushed() {
        client.run("CLIENT TRACKING ON");
        client.run("GET k");
        other.run("FLUSHALL");
        assertThat(client.received()).isEqualTo(">2 $10 invalidate _");
    }

    @Test
    void shouldTellOfKeysThatExpired() {
        client.run("CLIENT TRACKING ON");
        other.run("SET k v PX 10");
        client.run("GET k");
        rig.advance(11);
        rig.server.keyspace().expireDue(10);
        assertThat(client.received()).isEqualTo(INVALID_K);
    }

    @Test
    void shouldSendANullForAFlushThatIsFollowedByAWriteOfTheSameTransaction() {
        client.run("CLIENT TRACKING ON BCAST");
        other.run("MULTI");
        other.run("FLUSHALL");
        other.run("SET a 1");
        other.run("EXEC");
        assertThat(client.received()).isEqualTo(">2 $10 invalidate _");
    }
}
