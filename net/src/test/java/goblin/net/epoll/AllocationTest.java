// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.FaultReporter;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.socket.SocketAllocation;

class AllocationTest extends SocketAllocation {
    @Override
    protected Transport newTransport(final SegmentArena arena, final int windowBytes) {
        return new EpollTransport(arena, windowBytes, FaultReporter.STANDARD_ERROR);
    }
}
