// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * Asynchronous Event Requests of a controller and the events that answer them. An event that was sent is masked until its
 * log is read; changes meanwhile become one more event. On the admin queue's loop only.
 */
final class AsyncEvents {
    /** Requests that may wait. */
    static final int LIMIT = 4;
    /** What an I/O controller sends, as OAES says it. */
    static final int OAES_IO = AsyncEvent.NAMESPACE_ATTRIBUTE.configuration | AsyncEvent.ANA_CHANGE.configuration;
    /** What a discovery controller sends. */
    static final int OAES_DISCOVERY = AsyncEvent.DISCOVERY_LOG.configuration;

    private static final AsyncEvent[] ALL = AsyncEvent.values();

    private final TargetCounters counters;
    private final Request[] waiting = new Request[LIMIT];
    private final int supported;
    private int count;
    private int configuration;
    private int pending;
    private int masked;

    AsyncEvents(final TargetCounters counters, final int supported) {
        this.counters = counters;
        this.supported = supported;
        configuration = supported;
    }

    int supported() {
        return supported;
    }

    /** What the host wants to be told of. */
    int configuration() {
        return configuration;
    }

    void configuration(final int wanted) {
        configuration = wanted;
        for (final AsyncEvent event : ALL) {
            if ((wanted & event.configuration) == 0) {
                pending &= ~event.configuration;
            }
        }
    }

    /** Keeps a request until there is an event; false when enough wait. May complete it at once. */
    boolean park(final Request request) {
        if (count == LIMIT) {
            return false;
        }
        waiting[count++] = request;
        deliver();
        return true;
    }

    /** Something happened. */
    void raise(final AsyncEvent event) {
        if ((supported & configuration & event.configuration) != 0) {
            pending |= event.configuration;
            deliver();
        }
    }

    /** The host has read a log and wants to hear of its next change. */
    void logRead(final int logPage) {
        for (final AsyncEvent event : ALL) {
            if (event.logPage == logPage) {
                if ((masked & event.configuration) == 0) {
                    pending &= ~event.configuration;
                }
                masked &= ~event.configuration;
            }
        }
        deliver();
    }

    /** Completes a waiting request as aborted; false when there is none of that identifier. */
    boolean abort(final int cid) {
        for (int i = 0; i < count; i++) {
            if (waiting[i].cid() == cid) {
                final Request request = waiting[i];
                waiting[i] = waiting[--count];
                waiting[count] = null;
                request.fail(Status.ABORTED_BY_REQUEST);
                request.owner.complete(request);
                return true;
            }
        }
        return false;
    }

    /** Completes all that wait and forgets all events: the controller is reset, or its connection gone. */
    void reset() {
        while (count > 0) {
            final Request request = take();
            request.fail(Status.ABORTED_SQ_DELETION);
            request.owner.complete(request);
        }
        pending = 0;
        masked = 0;
        configuration = supported;
    }

    /** How many requests wait. */
    int waiting() {
        return count;
    }

    private void deliver() {
        for (final AsyncEvent event : ALL) {
            if (count > 0 && (pending & ~masked & event.configuration) != 0) {
                pending &= ~event.configuration;
                masked |= event.configuration;
                counters.add(TargetCounter.EVENTS);
                final Request request = take();
                request.result = event.result & 0xFFFF_FFFFL;
                request.owner.complete(request);
            }
        }
    }

    private Request take() {
        final Request request = waiting[0];
        count--;
        System.arraycopy(waiting, 1, waiting, 0, count);
        waiting[count] = null;
        return request;
    }
}
