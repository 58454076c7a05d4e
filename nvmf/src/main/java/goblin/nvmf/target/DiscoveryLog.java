// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static goblin.nvmf.target.PageField.number;
import static goblin.nvmf.target.PageField.spaced;
import static goblin.nvmf.target.PageField.terminated;

import goblin.net.linux.Memory;

/**
 * The Discovery log (70h): what a host may connect to, and where. Records follow the header in an order that changes only
 * with the generation counter, so that a host can read it in pieces.
 */
final class DiscoveryLog {
    private static final int HEADER_BYTES = 1024;
    private static final int RECORD_BYTES = 1024;

    private static final int TCP = 3;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int REFERRAL = 1;
    private static final int NVM_SUBSYSTEM = 2;
    private static final int ANY_CONTROLLER = 0xFFFF;

    /** A record; TREQ and TSAS stay 0: nothing about secure channels is asked for or offered. */
    private static final PageTable<Entry> RECORD = PageTable.of(
            number(0, 1, "TRTYPE", e -> TCP),
            number(1, 1, "ADRFAM", e -> e.portal().isIpv6() ? IPV6 : IPV4),
            number(2, 1, "SUBTYPE", e -> e.type()),
            number(3, 1, "TREQ", e -> 0),
            number(4, 2, "PORTID", e -> e.portId()),
            number(6, 2, "CNTLID", e -> ANY_CONTROLLER),
            number(8, 2, "ASQSZ", e -> TargetOptions.ADMIN_QUEUE_DEPTH),
            number(10, 2, "EFLAGS", e -> 0),
            spaced(32, 32, "TRSVCID", e -> Integer.toString(e.portal().port())),
            terminated(256, 256, "SUBNQN", e -> e.nqn()),
            spaced(512, 256, "TRADDR", e -> e.portal().address()),
            number(768, 1, "TSAS SECTYPE", e -> 0));

    private record Entry(int type, int portId, Portal portal, String nqn) {}

    private final VectorWriter writer;
    private long records;

    private DiscoveryLog(final VectorWriter writer) {
        this.writer = writer;
    }

    /** Writes what a host may see that came to {@code localName}, and gives back the log's length. */
    static long write(final VectorWriter writer, final Target target, final String host, final String localName) {
        // First the counter: a change meanwhile makes the host read again, never miss it.
        final long generation = target.discoveryGeneration();
        final DiscoveryLog log = new DiscoveryLog(writer);
        log.putAll(target, host, Portal.parse(localName));
        Memory.putLong(writer.part(), generation);
        Memory.putLong(writer.part() + 8, log.records);
        writer.send(0, HEADER_BYTES);
        return HEADER_BYTES + log.records * RECORD_BYTES;
    }

    private void putAll(final Target target, final String host, final Portal asked) {
        final DiscoveryPortals portals = target.portals();
        for (final Subsystem subsystem : target.subsystems()) {
            if (subsystem.allows(host)) {
                int portId = 1;
                for (final Portal portal : portals.listeners()) {
                    put(NVM_SUBSYSTEM, portId++, portal.seenFrom(asked), subsystem.nqn());
                }
            }
        }
        int portId = portals.listeners().size() + 1;
        for (final Portal referral : portals.referrals()) {
            put(REFERRAL, portId++, referral.seenFrom(asked), Nqn.DISCOVERY);
        }
    }

    private void put(final int type, final int portId, final Portal portal, final String nqn) {
        if (portal != null) {
            RECORD.put(new Entry(type, portId, portal, nqn), writer.part());
            writer.send(HEADER_BYTES + records * RECORD_BYTES, RECORD_BYTES);
            records++;
        }
    }
}
