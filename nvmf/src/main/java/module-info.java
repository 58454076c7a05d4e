// SPDX-License-Identifier: Apache-2.0

/** The NVMe/TCP target, the initiator that tests and measures it, and their programs. */
module goblin.nvmf {
    requires goblin.net;
    requires info.picocli;
    requires HdrHistogram;
    requires io.prometheus.metrics.core;
    requires io.prometheus.metrics.exporter.httpserver;
    requires io.prometheus.metrics.model;
    requires java.logging;
    requires jol.core;
    requires jdk.httpserver;

    // Its command line is read by reflection.
    opens goblin.nvmf to
            info.picocli;
    opens goblin.nvmf.perf to
            info.picocli;
}
