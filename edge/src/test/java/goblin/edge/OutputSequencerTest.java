// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.resp.Ascii;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OutputSequencerTest {
    private final SharedBytes.Pool pool = new SharedBytes.Pool();
    private final NativeBuffer scratch = new NativeBuffer();
    private final Written written = new Written();
    private final OutputSequencer sequencer = new OutputSequencer(new ReplySlots(), written);

    @AfterEach
    void shouldHaveReleasedEveryFrame() {
        sequencer.clear();
        assertThat(pool.liveBytes()).isZero();
        scratch.free();
    }

    @Test
    void shouldWriteALocalReplyAtOnceWhenNothingIsOutstanding() {
        reply("+PONG");

        assertThat(written.frames).containsExactly("+PONG");
    }

    @Test
    void shouldKeepALocalReplyBehindAForwardedCommand() {
        sequencer.expect(SlotType.FORWARD, 0, false);
        reply("+PONG");
        assertThat(written.frames).isEmpty();

        hostReplies("$1");

        assertThat(written.frames).containsExactly("$1", "+PONG");
    }

    @Test
    void shouldHoldAPushBehindAForwardedCommandThatWasOutstandingWhenItCame() {
        sequencer.expect(SlotType.FORWARD, 0, false);
        push("message");
        hostReplies("$1");

        assertThat(written.frames).containsExactly("$1", "*message");
    }

    @Test
    void shouldWriteAPushBeforeTheReplyOfAPublication() {
        final ReplySlot publish = sequencer.expect(SlotType.PUBLISH, 0, false);
        assertThat(sequencer.holdsPushes(null)).isFalse();

        publish.receivers = 3;
        sequencer.ready(publish);

        assertThat(written.frames).containsExactly(":3");
    }

    @Test
    void shouldNotHoldAPushBehindABlockedCommand() {
        sequencer.expect(SlotType.FORWARD, ReplySlot.BLOCKING, false);
        sequencer.expect(SlotType.FORWARD, 0, false);

        assertThat(sequencer.holdsPushes(null)).isFalse();
    }

    @Test
    void shouldPlaceAPushBeforeTheBlockedCommandButBehindWhatPrecedesIt() {
        sequencer.expect(SlotType.FORWARD, 0, false);
        sequencer.expect(SlotType.FORWARD, ReplySlot.BLOCKING, false);
        push("message");

        hostReplies("$get");
        assertThat(written.frames).containsExactly("$get", "*message");
        hostReplies("*popped");

        assertThat(written.frames).containsExactly("$get", "*message", "*popped");
    }

    @Test
    void shouldHoldPushesOnceABlockedCommandsReplyHasBegun() {
        sequencer.expect(SlotType.FORWARD, ReplySlot.BLOCKING, false);
        sequencer.replyBegan();
        assertThat(sequencer.holdsPushes(null)).isTrue();
        push("message");

        hostReplies("*popped");

        assertThat(written.frames).containsExactly("*popped", "*message");
    }

    @Test
    void shouldKeepPushesInTheirOrderWhenOneIsHeld() {
        sequencer.expect(SlotType.FORWARD, 0, false);
        push("one");
        push("two");
        hostReplies("$1");

        assertThat(written.frames).containsExactly("$1", "*one", "*two");
    }

    @Test
    void shouldHoldAPushBehindAConfirmationThatIsPartlyTrueAndStuck() {
        final ReplySlot first = confirm("subscribe a", 1);
        final ReplySlot second = confirm("subscribe b", 1);
        sequencer.changeHolds(second, true);

        push("message b");
        assertThat(written.frames).isEmpty();
        sequencer.changeHolds(first, true);

        assertThat(written.frames).containsExactly("subscribe a", "subscribe b", "*message b");
    }

    @Test
    void shouldPlaceAPushBeforeTheEndOfItsNameThatDoesNotHoldYet() {
        final ReplySlot first = confirm("subscribe a", 1);
        final ReplySlot end = confirm("unsubscribe x", 1);
        final ReplySlot last = confirm("subscribe b", 1);
        sequencer.changeHolds(last, true);

        push("message b");
        push("message x", end);
        assertThat(written.frames).containsExactly("*message x");
        sequencer.changeHolds(first, true);
        push("another x", end);
        sequencer.changeHolds(end, false);

        assertThat(written.frames)
                .containsExactly(
                        "*message x", "subscribe a", "*another x", "unsubscribe x", "subscribe b", "*message b");
    }

    @Test
    void shouldNotHoldAPushBehindAnUnsubscriptionThatHoldsInPartOnly() {
        final ReplySlot end = confirm("unsubscribe a b", 2);
        sequencer.changeHolds(end, false);

        push("message b", end);

        assertThat(written.frames).containsExactly("*message b");
    }

    @Test
    void shouldConfirmOnlyWhenEveryChangeHolds() {
        final ReplySlot slot = confirm("subscribe a b", 2);
        sequencer.changeHolds(slot, true);
        assertThat(written.frames).isEmpty();

        sequencer.changeHolds(slot, true);

        assertThat(written.frames).containsExactly("subscribe a b");
        assertThat(sequencer.subscriptions()).isZero();
    }

    @Test
    void shouldSwallowSuppressedRepliesButNotPushes() {
        final ReplySlot publish = sequencer.expect(SlotType.PUBLISH, 0, true);
        sequencer.ready(publish);
        push("message");

        assertThat(written.frames).containsExactly("*message");
    }

    @Test
    void shouldWriteNothingInsideAForeignFrame() {
        sequencer.foreignFrame(true);
        reply("+PONG");
        push("message");
        assertThat(written.frames).isEmpty();

        sequencer.foreignFrame(false);

        assertThat(written.frames).containsExactly("+PONG", "*message");
    }

    @Test
    void shouldTurnUnansweredForwardedCommandsIntoErrorsAtTheirPlaces() {
        sequencer.expect(SlotType.FORWARD, ReplySlot.INTERNAL, false);
        sequencer.expect(SlotType.FORWARD, 0, false);
        reply("+PONG");
        sequencer.expect(SlotType.FORWARD, 0, true);
        scratch.clear();
        scratch.appendAscii("-ERR gone");

        sequencer.fail(scratch.address(), scratch.length(), SlotType.FORWARD);

        assertThat(written.frames).containsExactly("-ERR gone", "+PONG");
        assertThat(sequencer.isEmpty()).isTrue();
        assertThat(sequencer.forwarded()).isZero();
    }

    @Test
    void shouldEndTheConnectionBehindEverythingBefore() {
        sequencer.expect(SlotType.FORWARD, 0, false);
        sequencer.close();
        assertThat(written.frames).isEmpty();

        hostReplies("$1");

        assertThat(written.frames).containsExactly("$1", "close");
    }

    @Test
    void shouldBeFullAtTheBoundAndCountHeldBytesBackToZero() {
        for (int i = 0; i < OutputSequencer.MOST_OUTSTANDING; i++) {
            sequencer.expect(SlotType.FORWARD, 0, false);
        }
        push("message");
        assertThat(sequencer.isFull()).isTrue();
        for (int i = 0; i < OutputSequencer.MOST_OUTSTANDING; i++) {
            hostReplies("$" + i);
        }

        assertThat(sequencer.isFull()).isFalse();
        assertThat(sequencer.heldBytes()).isZero();
        assertThat(written.frames).hasSize(OutputSequencer.MOST_OUTSTANDING + 1);
    }

    private ReplySlot confirm(final String frames, final int changes) {
        final ReplySlot slot = sequencer.expect(SlotType.CONFIRM, 0, false);
        slot.changesLeft = changes;
        sequencer.confirmation(slot, shared(frames));
        return slot;
    }

    private void reply(final String text) {
        scratch.clear();
        scratch.appendAscii(text);
        sequencer.reply(scratch.address(), scratch.length());
    }

    private void push(final String text) {
        push(text, null);
    }

    private void push(final String text, final ReplySlot end) {
        if (sequencer.holdsPushes(end)) {
            sequencer.holdPush((byte) '*', shared(text), null, end);
        } else {
            written.frames.add("*" + text);
        }
    }

    private void hostReplies(final String text) {
        assertThat(sequencer.first().type).isEqualTo(SlotType.FORWARD);
        sequencer.replyBegan();
        written.frames.add(text);
        sequencer.forwardAnswered();
    }

    private SharedBytes shared(final String text) {
        scratch.clear();
        scratch.appendAscii(text);
        return pool.copyOf(scratch.address(), scratch.length());
    }

    /** Keeps what was written, frame by frame. */
    private final class Written implements FrameOutput {
        private final List<String> frames = new ArrayList<>();

        @Override
        public void append(final long address, final long length) {
            frames.add(Ascii.text(address, (int) length));
        }

        @Override
        public void appendInteger(final long value) {
            frames.add(":" + value);
        }

        @Override
        public void appendShared(final SharedBytes bytes) {
            append(bytes.address(), bytes.length());
        }

        @Override
        public void pushHeld(final byte firstByte, final SharedBytes frame, final SharedBytes payload) {
            frames.add((char) firstByte + Ascii.text(frame.address(), (int) frame.length()));
        }

        @Override
        public void closeWhenFlushed() {
            frames.add("close");
        }

        @Override
        public SharedBytes copyOf(final long address, final long length) {
            return pool.copyOf(address, length);
        }
    }
}
