// SPDX-License-Identifier: Apache-2.0

/** Probes and load generators that ship with the programs. */
module goblin.bench {
    requires HdrHistogram;
    requires info.picocli;

    opens goblin.bench to
            info.picocli;
}
