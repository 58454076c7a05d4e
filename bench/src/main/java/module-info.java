// SPDX-License-Identifier: Apache-2.0

/** Probes, comparisons and load generators that ship with the programs. */
module goblin.bench {
    requires goblin.link;
    requires goblin.net;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;

    opens goblin.bench to
            info.picocli;
}
