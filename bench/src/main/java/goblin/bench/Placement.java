// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Where a process runs and before whom: as a prefix of its command.
 *
 * @param cpu      the one CPU for all its threads, or -1 where the program itself keeps its loop apart from the JVM's
 *     other threads ({@code --cpu}) or everything may run everywhere
 * @param priority SCHED_FIFO priority of all its threads, or 0 for the normal scheduler
 */
record Placement(int cpu, int priority) {
    /** Anywhere, at normal priority. */
    static final Placement FREE = new Placement(-1, 0);

    /** Servers that are measured, edge or Redis, have this CPU. */
    static final int SERVER_CPU = 0;

    /** The host beside an edge and everything that measures have this one. */
    static final int CLIENT_CPU = 1;

    /** A real-time priority for the host, so that a polling probe does not starve it. */
    static final int HOST_PRIORITY = 30;

    /** The priority of all others. */
    static final int PRIORITY = 20;

    List<String> apply(final List<String> command) {
        final List<String> whole = new ArrayList<>();
        if (priority > 0) {
            whole.addAll(List.of("chrt", "-f", Integer.toString(priority)));
        }
        if (cpu >= 0) {
            whole.addAll(List.of("taskset", "-c", Integer.toString(cpu)));
        }
        whole.addAll(command);
        return whole;
    }

    /** Finds out whether this machine lets us pin and prioritise, and says what is missing if not. */
    static void check() throws Failure {
        checkCpus(SERVER_CPU, CLIENT_CPU);
        attempt(
                List.of("chrt", "-f", Integer.toString(HOST_PRIORITY), "true"),
                "real-time priorities need root, CAP_SYS_NICE or LimitRTPRIO=" + HOST_PRIORITY);
    }

    /** Finds out whether both CPUs are there and allowed. */
    static void checkCpus(final int server, final int client) throws Failure {
        final String need = "two CPUs are needed, " + server + " and " + client;
        attempt(List.of("taskset", "-c", Integer.toString(server), "true"), need);
        attempt(List.of("taskset", "-c", Integer.toString(client), "true"), need);
    }

    private static void attempt(final List<String> command, final String need) throws Failure {
        final String tool = command.get(0);
        final String otherwise = "; --unpinned measures without, but its figures do not compare";
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new Failure("'" + String.join(" ", command) + "' is not permitted: " + need + otherwise);
            }
        } catch (final IOException missing) {
            throw new Failure(tool + " is missing (Debian, Ubuntu: package util-linux)" + otherwise, missing);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", interrupted);
        }
    }
}
