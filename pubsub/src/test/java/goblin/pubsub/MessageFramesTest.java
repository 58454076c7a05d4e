// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.NativeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MessageFramesTest {
    private final NativeBuffer out = new NativeBuffer();
    private final NativeBytes channel = NativeBytes.of("ch");
    private final NativeBytes pattern = NativeBytes.of("c*");
    private final NativeBytes payload = NativeBytes.of("a¶\0");

    @AfterEach
    void free() {
        out.free();
        channel.close();
        pattern.close();
        payload.close();
    }

    private String written() {
        final String text = new String(out.toBytes(), ISO_8859_1).replace("\r\n", "¶");
        out.clear();
        return text;
    }

    @Test
    void shouldEncodeMessagesAsArraysInResp2AndAsPushesInResp3_P19() {
        for (final int protocol : new int[] {2, 3}) {
            final String type = protocol == 3 ? ">" : "*";
            MessageFrames.message(out, protocol, Kind.CHANNEL, channel.address(), 2, payload.address(), 4);
            assertThat(written()).isEqualTo(type + "3¶$7¶message¶$2¶ch¶$4¶a¶\0¶");
            MessageFrames.message(out, protocol, Kind.SHARD, channel.address(), 2, payload.address(), 4);
            assertThat(written()).isEqualTo(type + "3¶$8¶smessage¶$2¶ch¶$4¶a¶\0¶");
            MessageFrames.patternMessage(
                    out, protocol, pattern.address(), 2, channel.address(), 2, payload.address(), 4);
            assertThat(written()).isEqualTo(type + "4¶$8¶pmessage¶$2¶c*¶$2¶ch¶$4¶a¶\0¶");
        }
    }

    @Test
    void shouldEncodeAnEmptyChannelAndAnEmptyPayload_P61() {
        MessageFrames.message(out, 2, Kind.CHANNEL, 0, 0, 0, 0);
        assertThat(written()).isEqualTo("*3¶$7¶message¶$0¶¶$0¶¶");
    }

    @Test
    void shouldLeaveThePayloadToTheCaller() {
        MessageFrames.messageHeader(out, 3, Kind.CHANNEL, channel.address(), 2, 1L << 32);
        assertThat(written()).isEqualTo(">3¶$7¶message¶$2¶ch¶$4294967296¶");
        MessageFrames.patternMessageHeader(out, 2, pattern.address(), 2, channel.address(), 2, 5);
        MessageFrames.messageEnd(out);
        assertThat(written()).isEqualTo("*4¶$8¶pmessage¶$2¶c*¶$2¶ch¶$5¶¶");
        assertThatThrownBy(() -> MessageFrames.messageHeader(out, 2, Kind.PATTERN, channel.address(), 2, 5))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldConfirmEachKindInItsOwnWords_P13_P14() {
        MessageFrames.subscribed(out, 2, Kind.CHANNEL, channel.address(), 2, 1);
        MessageFrames.subscribed(out, 3, Kind.PATTERN, channel.address(), 2, 2);
        MessageFrames.subscribed(out, 2, Kind.SHARD, channel.address(), 2, 300);
        assertThat(written())
                .isEqualTo("*3¶$9¶subscribe¶$2¶ch¶:1¶>3¶$10¶psubscribe¶$2¶ch¶:2¶*3¶$10¶ssubscribe¶$2¶ch¶:300¶");
        MessageFrames.unsubscribed(out, 3, Kind.CHANNEL, channel.address(), 2, 0);
        MessageFrames.unsubscribed(out, 2, Kind.PATTERN, channel.address(), 2, 0);
        MessageFrames.unsubscribed(out, 2, Kind.SHARD, channel.address(), 2, 0);
        assertThat(written())
                .isEqualTo(">3¶$11¶unsubscribe¶$2¶ch¶:0¶*3¶$12¶punsubscribe¶$2¶ch¶:0¶*3¶$12¶sunsubscribe¶$2¶ch¶:0¶");
        MessageFrames.unsubscribedFromNothing(out, 2, Kind.CHANNEL, 0);
        MessageFrames.unsubscribedFromNothing(out, 3, Kind.PATTERN, 0);
        MessageFrames.unsubscribedFromNothing(out, 2, Kind.SHARD, 0);
        assertThat(written())
                .isEqualTo("*3¶$11¶unsubscribe¶$-1¶:0¶>3¶$12¶punsubscribe¶_¶:0¶*3¶$12¶sunsubscribe¶$-1¶:0¶");
    }
}
