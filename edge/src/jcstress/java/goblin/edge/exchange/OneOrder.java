// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two loops publish to all at the same time; the third looks afterwards. */
@JCStressTest
@Outcome(id = "12, 12, 12", expect = Expect.ACCEPTABLE, desc = "All have the same order.")
@Outcome(id = "21, 21, 21", expect = Expect.ACCEPTABLE, desc = "All have the same order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "There is more than one order, or something is lost.")
@State
public class OneOrder {
    private final Trio trio = new Trio();

    /** Publishes. */
    @Actor
    public void one() {
        trio.publish(0, 0b110, 1);
    }

    /** Publishes. */
    @Actor
    public void two() {
        trio.publish(1, 0b101, 2);
    }

    /** Looks at the end. */
    @Arbiter
    public void end(final III_Result result) {
        trio.settle();
        result.r1 = trio.delivered(0);
        result.r2 = trio.delivered(1);
        result.r3 = trio.delivered(2);
    }
}
