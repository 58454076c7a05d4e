// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Loop 1 answers the publication of loop 0; loop 2, which has an interest in both, shares a thread with it. */
@JCStressTest
@Outcome(id = "0, [01], 1", expect = Expect.ACCEPTABLE, desc = "Loop 1 had not seen it yet.")
@Outcome(id = "1, (0|1|12), 12", expect = Expect.ACCEPTABLE, desc = "The effect came after its cause.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The effect came first, or something is lost.")
@State
public class CauseBeforeEffect {
    private final Trio trio = new Trio();

    /** Publishes the cause. */
    @Actor
    public void cause() {
        trio.publish(0, 0b110, 1);
    }

    /** Publishes the effect if it has seen the cause, and looks as the third. */
    @Actor
    public void effect(final III_Result result) {
        trio.loop(1).poll();
        if (trio.delivered(1) == 1) {
            trio.publish(1, 0b100, 2);
            result.r1 = 1;
        }
        trio.loop(2).poll();
        result.r2 = trio.delivered(2);
    }

    /** Looks at the end. */
    @Arbiter
    public void end(final III_Result result) {
        trio.settle();
        result.r3 = trio.delivered(2);
    }
}
