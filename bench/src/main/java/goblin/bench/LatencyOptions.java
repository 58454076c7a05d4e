// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Affinity;
import goblin.net.linux.Errno;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options both probes share. */
final class LatencyOptions {
    private static final int LARGEST_PAYLOAD = 512 << 20;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "64", description = "payload (default 64)")
    private int payload;

    @Option(names = "--channel", paramLabel = "NAME", description = "channel (default goblin-latency-PROCESS)")
    private String channel;

    @ArgGroup
    private Mode mode = new Mode();

    @Option(names = "--cpu", paramLabel = "N", description = "pin the measuring thread to this CPU")
    private Integer cpu;

    @Option(names = "--histogram", paramLabel = "FILE", description = "write an HdrHistogram log (nanoseconds)")
    private Path histogram;

    @Option(names = "--csv", description = "print CSV instead of Markdown")
    private boolean csv;

    /** How the probe waits. */
    static final class Mode {
        @Option(names = "--polling", description = "poll the sockets (default)")
        @SuppressWarnings("unused") // the default, there to exclude the other
        private boolean polling;

        @Option(names = "--blocking", description = "sleep in the kernel until bytes arrive")
        private boolean blocking;
    }

    /** Checks what picocli does not. */
    void conclude() throws Failure {
        range("--payload", payload, 0, LARGEST_PAYLOAD);
        if (cpu != null) {
            final int errno = Affinity.pinCurrentThread(cpu);
            if (errno != 0) {
                throw new Failure("cannot run on CPU " + cpu + ": " + Errno.name(errno));
            }
        }
    }

    /** Refuses a value out of its range. */
    void range(final String name, final int value, final int least, final int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), name + " " + value + " is out of range, allowed: " + least + " to " + most);
        }
    }

    /** Refuses a value that is none of those allowed. */
    void choices(final String name, final List<String> values, final List<String> allowed) {
        for (final String value : values) {
            if (!allowed.contains(value)) {
                throw new ParameterException(
                        spec.commandLine(),
                        name + " '" + value + "' is unknown, allowed: " + String.join(", ", allowed));
            }
        }
    }

    int payload() {
        return payload;
    }

    byte[] channel() {
        return RespBytes.ascii(
                channel == null ? "goblin-latency-" + ProcessHandle.current().pid() : channel);
    }

    boolean blocking() {
        return mode.blocking;
    }

    Path histogram() {
        return histogram;
    }

    /** Prints what was measured, and where. */
    void print(final String what, final Table table) {
        if (csv) {
            System.out.print(table.csv());
        } else {
            System.out.println(what + ", payload " + payload + " bytes, " + (blocking() ? "blocking" : "polling")
                    + "; latencies in microseconds\n");
            System.out.print(table.markdown());
        }
        System.out.flush();
    }
}
