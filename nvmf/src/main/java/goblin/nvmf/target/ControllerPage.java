// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static goblin.nvmf.target.PageField.number;
import static goblin.nvmf.target.PageField.spaced;
import static goblin.nvmf.target.PageField.terminated;

import java.util.function.ToLongFunction;

/** The Identify Controller structure (NVM Express Base specification 2.0, Identify Controller Data Structure). */
final class ControllerPage {
    /** VS and VER: 2.0. */
    static final int VERSION = 0x0002_0000;

    /** Entries that the error log holds, and says so in ELPE. */
    static final int ERROR_ENTRIES = 64;

    /** Asynchronous event requests that may be outstanding; AERL is one less. */
    static final int EVENT_REQUESTS = 4;

    private static final int LARGEST_BLOCK = 4096;

    /** The rows; a discovery controller differs where a row has two values, the second being its. */
    static final PageTable<ControllerFacts> ROWS = PageTable.of(
            number(0, 2, "VID", c -> 0),
            number(2, 2, "SSVID", c -> 0),
            spaced(4, 20, "SN", ControllerFacts::serial),
            spaced(24, 40, "MN", ControllerFacts::model),
            spaced(64, 8, "FR", ControllerFacts::firmware),
            number(72, 1, "RAB", c -> 0),
            number(73, 3, "IEEE", c -> 0),
            // Several ports, several controllers, asymmetric access.
            number(76, 1, "CMIC", either(0b1011, 0)),
            number(77, 1, "MDTS", c -> Integer.numberOfTrailingZeros(c.maxIoBytes() / 4096)),
            number(78, 2, "CNTLID", ControllerFacts::id),
            number(80, 4, "VER", c -> VERSION),
            number(84, 4, "RTD3R", c -> 0),
            number(88, 4, "RTD3E", c -> 0),
            number(92, 4, "OAES", c -> c.events() & 0xFFFF_FFFFL),
            // Host identifiers of 128 bits, and traffic counts as life.
            number(96, 4, "CTRATT", c -> 1 | 1 << 6),
            number(100, 2, "RRLS", c -> 0),
            number(111, 1, "CNTRLTYPE", either(1, 2)),
            number(256, 2, "OACS", c -> 0),
            number(258, 1, "ACL", c -> 3),
            number(259, 1, "AERL", c -> EVENT_REQUESTS - 1),
            // One slot, read only.
            number(260, 1, "FRMW", either(0b0011, 0)),
            // Effects log; offsets and long lengths in Get Log Page.
            number(261, 1, "LPA", either(0b0110, 0b0100)),
            number(262, 1, "ELPE", c -> ERROR_ENTRIES - 1),
            number(263, 1, "NPSS", c -> 0),
            number(266, 2, "WCTEMP", c -> 0),
            number(268, 2, "CCTEMP", c -> 0),
            number(320, 2, "KAS", ControllerFacts::keepAliveUnits),
            number(342, 1, "ANATT", either(10, 0)),
            // All five states may be reported; groups do not change while a namespace is attached.
            number(343, 1, "ANACAP", either(0b0101_1111, 0)),
            number(344, 4, "ANAGRPMAX", io(ControllerFacts::maxAnaGroup)),
            number(348, 4, "NANAGRPID", io(ControllerFacts::anaGroups)),
            number(512, 1, "SQES", either(0x66, 0)),
            number(513, 1, "CQES", either(0x44, 0)),
            number(514, 2, "MAXCMD", ControllerFacts::maxQueueDepth),
            number(516, 4, "NN", io(ControllerFacts::maxNamespaces)),
            // Compare, Dataset Management, Write Zeroes, Select and Save (nothing is saveable), Verify; no reservations
            // (bit 5).
            number(520, 2, "ONCS", either(0b1001_1101, 0)),
            number(522, 2, "FUSES", either(1, 0)),
            number(524, 1, "FNA", c -> 0),
            // A flush of NSID FFFFFFFFh covers all namespaces.
            number(525, 1, "VWC", io(c -> 0b110 | (c.cachePresent() ? 1 : 0))),
            number(526, 2, "AWUN", c -> 0),
            number(528, 2, "AWUPF", c -> 0),
            number(530, 1, "ICSVSCC", c -> 0),
            number(531, 1, "NWPC", c -> 0),
            // A compare-and-write is one step whatever its length.
            number(532, 2, "ACWU", io(c -> c.maxIoBytes() / LARGEST_BLOCK - 1)),
            // SGLs, in-capsule offsets and transport data blocks; neither keyed nor longer than the data (bit 18).
            number(536, 4, "SGLS", c -> 1 | 1 << 20 | 1 << 21),
            number(540, 4, "MNAN", io(ControllerFacts::maxNamespaces)),
            terminated(768, 256, "SUBNQN", ControllerFacts::subsystemNqn),
            number(1792, 4, "IOCCSZ", either(c -> (Sqe.BYTES + c.inCapsuleBytes()) / 16, c -> 0)),
            number(1796, 4, "IORCSZ", either(Cqe.BYTES / 16, 0)),
            number(1800, 2, "ICDOFF", c -> 0),
            number(1802, 1, "FCATT", c -> 0),
            number(1803, 1, "MSDBD", c -> 1),
            // Disconnect.
            number(1804, 2, "OFCS", c -> 1),
            number(1806, 1, "DCTYPE", either(0, 1)));

    private ControllerPage() {}

    private static ToLongFunction<ControllerFacts> either(final long io, final long discovery) {
        return c -> c.discovery() ? discovery : io;
    }

    private static ToLongFunction<ControllerFacts> either(
            final ToLongFunction<ControllerFacts> io, final ToLongFunction<ControllerFacts> discovery) {
        return c -> (c.discovery() ? discovery : io).applyAsLong(c);
    }

    private static ToLongFunction<ControllerFacts> io(final ToLongFunction<ControllerFacts> value) {
        return c -> c.discovery() ? 0 : value.applyAsLong(c);
    }
}
