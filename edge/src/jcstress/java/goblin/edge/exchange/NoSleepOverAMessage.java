// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A loop falls asleep while another one sends. */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "It has seen the message and stays awake.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "It sleeps, and is woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It sleeps, and nobody wakes it.")
@State
public class NoSleepOverAMessage {
    private final Trio trio = new Trio();

    /** Sends. */
    @Actor
    public void sender() {
        trio.loop(0).acked(1, 1);
        trio.loop(0).flushTurn();
    }

    /** Falls asleep. */
    @Actor
    public void sleeper(final II_Result result) {
        result.r1 = trio.loop(1).prepareSleep() ? 1 : 0;
    }

    /** Looks whether it was woken. */
    @Arbiter
    public void end(final II_Result result) {
        result.r2 = trio.wakes(1);
        trio.settle();
    }
}
