// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.FaultReporter;
import goblin.net.Transport;

class HostileUringConformanceTest extends HostileConformance {
    @Override
    boolean places() {
        return false;
    }

    @Override
    Transport transport(final long receiveBytes, final FaultReporter reporter) {
        return UringConformanceTest.open(receiveBytes, reporter);
    }

    @Override
    Transport transport(
            final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
        return UringConformanceTest.open(receiveBytes, segmentBytes, windowBytes, reporter);
    }
}
