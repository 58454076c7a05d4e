// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static goblin.nvmf.target.PageField.number;
import static goblin.nvmf.target.PageField.raw;

/**
 * The Identify Namespace structures: that of the NVM command set (NVM Command Set specification 1.0) and the one that is
 * the same for all command sets (NVM Express Base specification 2.0).
 */
final class NamespacePage {
    private static final int HINTS = 1 << 4;
    private static final int MOST_HINTED_BLOCKS = 1 << 16;

    /**
     * CNS 00h. Hints (NPWG to NOWS) say what is cheapest, never what is atomic: NAWUPF stays 0, because hosts derive
     * promises about torn writes from it.
     */
    static final PageTable<NamespaceFacts> NVM = PageTable.of(
            number(0, 8, "NSZE", NamespaceFacts::blocks),
            number(8, 8, "NCAP", NamespaceFacts::blocks),
            number(16, 8, "NUSE", NamespaceFacts::blocks),
            number(24, 1, "NSFEAT", n -> hinted(n) ? HINTS : 0),
            number(25, 1, "NLBAF", n -> 0),
            number(26, 1, "FLBAS", n -> 0),
            number(27, 1, "MC", n -> 0),
            number(28, 1, "DPC", n -> 0),
            number(29, 1, "DPS", n -> 0),
            number(30, 1, "NMIC", n -> 1),
            number(31, 1, "RESCAP", n -> 0),
            number(32, 1, "FPI", n -> 0),
            number(33, 1, "DLFEAT", NamespacePage::deallocation),
            number(34, 2, "NAWUN", n -> 0),
            number(36, 2, "NAWUPF", n -> 0),
            number(38, 2, "NACWU", n -> 0),
            number(46, 2, "NOIOB", n -> 0),
            number(64, 2, "NPWG", NamespacePage::hint),
            number(66, 2, "NPWA", NamespacePage::hint),
            number(68, 2, "NPDG", NamespacePage::hint),
            number(70, 2, "NPDA", NamespacePage::hint),
            number(72, 2, "NOWS", NamespacePage::hint),
            number(92, 4, "ANAGRPID", NamespaceFacts::anaGroup),
            number(99, 1, "NSATTR", n -> n.traits().readOnly() ? 1 : 0),
            raw(104, 16, "NGUID", NamespaceFacts::nguid),
            number(120, 8, "EUI64", n -> 0),
            number(128, 2, "LBAF0 MS", n -> 0),
            number(130, 1, "LBAF0 LBADS", n -> Integer.numberOfTrailingZeros(n.blockBytes())),
            number(131, 1, "LBAF0 RP", n -> 0));

    /** CNS 05h for the NVM command set: protection information and what comes with it, of which there is none. */
    static final PageTable<NamespaceFacts> NVM_SET =
            PageTable.of(number(0, 8, "LBSTM", n -> 0), number(8, 1, "PIC", n -> 0), number(12, 4, "ELBAF0", n -> 0));

    /** CNS 08h. */
    static final PageTable<NamespaceFacts> ANY = PageTable.of(
            number(0, 1, "NSFEAT", n -> 0),
            number(1, 1, "NMIC", n -> 1),
            number(2, 1, "RESCAP", n -> 0),
            number(3, 1, "FPI", n -> 0),
            number(4, 4, "ANAGRPID", NamespaceFacts::anaGroup),
            number(8, 1, "NSATTR", n -> n.traits().readOnly() ? 1 : 0),
            number(10, 2, "NVMSETID", n -> 0),
            number(12, 2, "ENDGID", n -> 0),
            number(14, 1, "NSTAT", n -> 1));

    private NamespacePage() {}

    private static boolean hinted(final NamespaceFacts n) {
        return n.traits().preferredBlocks() > 1;
    }

    /** Counted from zero, as all hints are. */
    private static long hint(final NamespaceFacts n) {
        return hinted(n) ? Math.min(n.traits().preferredBlocks(), MOST_HINTED_BLOCKS) - 1L : 0;
    }

    private static long deallocation(final NamespaceFacts n) {
        if (!n.traits().deallocatedReadZero()) {
            return 0;
        }
        return n.traits().deallocates() ? 0b1001 : 0b0001;
    }
}
