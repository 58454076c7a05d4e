// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Linux's own NVMe/TCP host, booted in an emulator by a program beside this repository ({@code
 * -Dgoblin.nvme-initiator=PROGRAM} names another). Its speed means nothing.
 */
public final class LinuxHost {
    private static final Path PROGRAM = Path.of(System.getProperty(
                    "goblin.nvme-initiator",
                    ServerProcess.ROOT.resolve("../shared/rig/nvme-initiator").toString()))
            .normalize();
    private static final Duration BUILD = Duration.ofMinutes(10);

    /** How long one run may take on a machine that does other things as well. */
    public static final Duration PATIENCE = Duration.ofMinutes(6);

    private LinuxHost() {}

    /**
     * Makes the emulator and the images ready, which takes a minute the first time.
     *
     * @return why there is no such host here; empty when there is
     */
    public static String unavailable() {
        if (!Files.isExecutable(PROGRAM)) {
            return PROGRAM + " is missing";
        }
        final ServerProcess build = ServerProcess.start(List.of(PROGRAM.toString(), "--build-only"));
        if (build.exitCode(BUILD) == 0) {
            return "";
        }
        return PROGRAM + " cannot run: "
                + (build.stderr().isEmpty() ? "no reason given" : build.stderr().getLast());
    }

    /**
     * Boots a host, connects it to the target and runs a script there.
     *
     * @param target whom it connects to
     * @param options of the program, such as {@code --queues 4}
     * @return the process; the exit status is the script's
     */
    public static ServerProcess start(final NvmfTarget target, final String... options) {
        final List<String> command = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "--port",
                Integer.toString(target.port()),
                "--nqn",
                NvmfTarget.NQN,
                "--timeout",
                Long.toString(PATIENCE.toSeconds() - 10)));
        command.addAll(List.of(options));
        return ServerProcess.start(command);
    }

    /**
     * A script for the guest.
     *
     * @param name of the resource
     * @return its file
     */
    public static String script(final String name) {
        return Path.of("src/test/resources/goblin/system", name)
                .toAbsolutePath()
                .toString();
    }
}
