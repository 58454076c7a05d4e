// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.FaultReporter;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.uring.UringTransport;

class UringConformanceTest extends KernelConformance {
    static Transport open(
            final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
        return new UringTransport(new SegmentArena(receiveBytes, segmentBytes, true, reporter), windowBytes, reporter);
    }

    static Transport open(final long receiveBytes, final FaultReporter reporter) {
        return new UringTransport(new SegmentArena(receiveBytes, true, reporter), reporter);
    }

    @Override
    Transport transport(final long receiveBytes, final FaultReporter reporter) {
        return open(receiveBytes, reporter);
    }

    @Override
    Transport transport(
            final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
        return open(receiveBytes, segmentBytes, windowBytes, reporter);
    }

    @Override
    boolean places() {
        return false;
    }
}
