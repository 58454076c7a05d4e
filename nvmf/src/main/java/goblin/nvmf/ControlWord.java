// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What {@code goblin-nvmf-ctl} can ask for: the words that follow, and its text. */
enum ControlWord {
    LIST("", 0, 0, "Show subsystems, their namespaces, allowed hosts and controllers."),
    ADD_NAMESPACE(
            "NQN SPEC [nsid=N] [block-size=512|4096] [ana-group=N]",
            2,
            5,
            "Add a namespace, by default with the lowest NSID that was never used and the subsystem's block size and group."),
    REMOVE_NAMESPACE("NQN NSID", 2, 2, "Remove a namespace; what has started finishes."),
    RESIZE_NAMESPACE("NQN NSID SIZE", 3, 3, "Change the size of a namespace, in bytes or with K, M, G, T."),
    ALLOW_HOST("NQN HOSTNQN", 2, 2, "Let a host connect; any for every host."),
    DENY_HOST("NQN HOSTNQN", 2, 2, "Let a host connect no more, and end its connections; any closes the list."),
    ANA_STATE("NQN GROUP STATE", 3, 3, "optimized, non-optimized, inaccessible, persistent-loss or change."),
    WHY("HOSTNQN", 1, 1, "Tell why this host was refused last."),
    DRAIN(
            "[NQN]",
            0,
            1,
            "End the controllers of a subsystem, or of all, once what has started is answered; hosts try again later."),
    RESUME("[NQN]", 0, 1, "Let hosts connect again after a drain."),
    STATS("", 0, 0, "Show what is counted.");

    private final String parameters;
    private final int least;
    private final int most;
    private final String text;

    ControlWord(final String parameters, final int least, final int most, final String text) {
        this.parameters = parameters;
        this.least = least;
        this.most = most;
        this.text = text;
    }

    static Optional<ControlWord> of(final String label) {
        return Arrays.stream(values())
                .filter(word -> word.label().equals(label))
                .findFirst();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The command and what follows it, for people. */
    String usage() {
        return (label() + " " + parameters).strip();
    }

    String text() {
        return text;
    }

    boolean takes(final int words) {
        return words >= least && words <= most;
    }
}
