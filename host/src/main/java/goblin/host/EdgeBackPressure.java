// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.Publisher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Keeps those who publish to one edge from outrunning it ("Back-pressure" in the edge's specification): from half of
 * the buffer up they are held, at a quarter they go on, and an edge that takes nothing for 5 s meanwhile is stalled.
 * Pure: told the bytes queued and the loop's clock.
 */
final class EdgeBackPressure {
    /** A gap between two looks that means that this process itself stood still, in a long script for example. */
    private static final long OWN_PAUSE_NS = 2_000_000_000L;

    private final long half;
    private final long quarter;
    private final Set<Publisher> held = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Publisher> releasing = new ArrayList<>();
    private boolean congested;
    private long lastProgressNs;
    private long lastLookNs;

    EdgeBackPressure(final long bufferBytes) {
        half = Math.max(1, bufferBytes / 2);
        quarter = bufferBytes / 4;
    }

    boolean congested() {
        return congested;
    }

    int held() {
        return held.size();
    }

    /** Bytes were queued. */
    void onQueued(final long bytes, final long nowNs) {
        if (!congested && bytes >= half) {
            congested = true;
            lastProgressNs = nowNs;
            lastLookNs = nowNs;
        }
    }

    /** The edge took some. */
    void onSent(final long bytes, final long nowNs) {
        lastProgressNs = nowNs;
        if (congested && bytes <= quarter) {
            congested = false;
            releaseAll();
        }
    }

    /** Holds a publisher until the edge has drained, once however often it is asked. */
    void hold(final Publisher publisher) {
        if (congested && held.add(publisher)) {
            publisher.hold();
        }
    }

    /** Tells whether the edge has taken nothing for too long; to be asked several times a second. */
    boolean stalled(final long nowNs) {
        final long sinceLookNs = nowNs - lastLookNs;
        lastLookNs = nowNs;
        if (sinceLookNs > OWN_PAUSE_NS) {
            lastProgressNs += sinceLookNs;
        }
        return congested && nowNs - lastProgressNs >= EdgeOptions.STALL_NS;
    }

    /** The edge is gone: nobody waits for it any longer. */
    void end() {
        congested = false;
        releaseAll();
    }

    private void releaseAll() {
        if (held.isEmpty()) {
            return;
        }
        // A released publisher may publish at once and be held again.
        releasing.addAll(held);
        held.clear();
        for (int i = 0; i < releasing.size(); i++) {
            releasing.get(i).release();
        }
        releasing.clear();
    }
}
