// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.target.AnaState;
import goblin.nvmf.target.NamespaceEntry;
import goblin.nvmf.target.NamespaceTable;
import goblin.nvmf.target.Refusal;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.Target;
import goblin.nvmf.tcp.TcpTarget;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What {@code goblin-nvmf-ctl} asks for, done. Any thread that may wait. */
final class ControlCommands {
    private static final String ANY = "any";
    private static final int MOST_ANA_GROUPS = Subsystem.MAX_ANA_GROUP;
    private static final long DRAIN_SECONDS = 30;

    private final Target target;
    private final TcpTarget network;
    private final Media media;
    private final Map<String, SubsystemSettings> settings;
    private final Supplier<List<Sample>> samples;
    private final NvmfLog log;

    /**
     * Makes them.
     *
     * @param settings what each subsystem was given, by NQN
     * @param samples  the figures of now
     */
    ControlCommands(
            final Target target,
            final TcpTarget network,
            final Media media,
            final Map<String, SubsystemSettings> settings,
            final Supplier<List<Sample>> samples,
            final NvmfLog log) {
        this.target = target;
        this.network = network;
        this.media = media;
        this.settings = Map.copyOf(settings);
        this.samples = samples;
        this.log = log;
    }

    /** Does what a line asks for and returns the reply; see {@link ControlServer}. */
    String run(final String line) {
        final List<String> words = List.of(line.split(line.indexOf('\t') >= 0 ? "\t" : " +", -1));
        try {
            return "ok\n" + visible(run(words.getFirst(), words.subList(1, words.size())));
        } catch (final NamespaceException | BadOption | IllegalArgumentException e) {
            return "error: " + NvmfLog.visible(String.valueOf(e.getMessage())) + "\n";
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return "error: interrupted\n";
        } catch (final Throwable defect) {
            // Who asked must hear something, whatever it was.
            log.line("a control request failed: " + defect);
            return "error: the target failed: " + NvmfLog.visible(defect.toString()) + "\n";
        }
    }

    /** Names and paths are what others have chosen. */
    private static String visible(final String lines) {
        return lines.lines().map(line -> NvmfLog.visible(line) + '\n').collect(Collectors.joining());
    }

    private String run(final String label, final List<String> words) throws NamespaceException, InterruptedException {
        final ControlWord word =
                ControlWord.of(label).orElseThrow(() -> new BadOption("command '" + label + "' is unknown"));
        if (!word.takes(words.size())) {
            throw new BadOption("it is written " + word.usage());
        }
        return switch (word) {
            case LIST -> new Listing(target, network).text();
            case ADD_NAMESPACE -> addNamespace(words);
            case REMOVE_NAMESPACE -> removeNamespace(words);
            case RESIZE_NAMESPACE -> resizeNamespace(words);
            case ALLOW_HOST -> allowHost(subsystem(words.getFirst()), words.get(1));
            case DENY_HOST -> denyHost(subsystem(words.getFirst()), words.get(1));
            case ANA_STATE -> anaState(words);
            case WHY -> why(words.getFirst());
            case DRAIN -> drain(words);
            case RESUME -> resume(words);
            case STATS -> stats();
        };
    }

    private String addNamespace(final List<String> words) throws NamespaceException {
        final Subsystem subsystem = subsystem(words.getFirst());
        final SubsystemSettings given = settings.get(subsystem.nqn());
        int nsid = 0;
        int blockBytes = given.blockBytes();
        int anaGroup = given.anaGroup();
        for (final String option : words.subList(2, words.size())) {
            final int equals = option.indexOf('=');
            final String name = equals < 0 ? option : option.substring(0, equals);
            final Given value = new Given(name, List.of(option.substring(equals + 1)));
            switch (name) {
                case "nsid" -> nsid = nsid(value);
                case "block-size" -> blockBytes = SubsystemSettings.blockBytes(value);
                case "ana-group" -> anaGroup = (int) value.number(1, MOST_ANA_GROUPS);
                default ->
                    throw new BadOption("'" + option + "': allowed are nsid=N, block-size=512|4096, ana-group=N");
            }
        }
        final NamespaceSpec spec = NamespaceSpec.parse(words.get(1));
        final Optional<String> warning = Namespaces.warning(spec);
        final NamespaceEntry entry = media.add(subsystem, spec, nsid, blockBytes, anaGroup);
        warning.ifPresent(log::line);
        log.line("namespace " + entry.nsid() + " of " + subsystem.nqn() + " added: " + words.get(1));
        return "namespace " + entry.nsid() + "\n"
                + warning.map(text -> text + "\n").orElse("");
    }

    private String removeNamespace(final List<String> words) throws NamespaceException {
        final Subsystem subsystem = subsystem(words.getFirst());
        final int nsid = nsid(new Given("NSID", words.subList(1, 2)));
        media.remove(subsystem, nsid);
        log.line("namespace " + nsid + " of " + subsystem.nqn() + " removed");
        return "";
    }

    private String resizeNamespace(final List<String> words) throws NamespaceException {
        final Subsystem subsystem = subsystem(words.getFirst());
        final int nsid = nsid(new Given("NSID", words.subList(1, 2)));
        final NamespaceEntry entry = subsystem.namespaces().find(nsid);
        if (entry == null) {
            throw new NamespaceException("there is no namespace " + nsid);
        }
        final long blocks =
                NamespaceSpec.parseSize(words.get(2)) / entry.namespace().blockBytes();
        if (blocks == 0) {
            throw new NamespaceException(words.get(2) + " is smaller than a block");
        }
        subsystem.resizeNamespace(nsid, blocks);
        log.line("namespace " + nsid + " of " + subsystem.nqn() + " has " + blocks + " blocks now");
        return "";
    }

    private String allowHost(final Subsystem subsystem, final String host) {
        if (ANY.equals(host)) {
            subsystem.allowAnyHost(true);
        } else {
            subsystem.allowHost(hostName(host));
        }
        log.line("host " + host + " is allowed at " + subsystem.nqn());
        return "";
    }

    private String denyHost(final Subsystem subsystem, final String host) {
        if (ANY.equals(host)) {
            subsystem.allowAnyHost(false);
        } else {
            if (!subsystem.allowedHosts().contains(hostName(host))) {
                throw new BadOption("host " + host + " is not on the list of " + subsystem.nqn());
            }
            subsystem.denyHost(host);
        }
        log.line("host " + host + " is not allowed any more at " + subsystem.nqn());
        return ANY.equals(host) || !subsystem.allowsAnyHost() ? "" : "any host is allowed still\n";
    }

    private String anaState(final List<String> words) {
        final Subsystem subsystem = subsystem(words.getFirst());
        final int group = (int) new Given("GROUP", words.subList(1, 2)).number(1, MOST_ANA_GROUPS);
        final AnaState state = new Given("STATE", words.subList(2, 3)).choice(AnaState.class);
        subsystem.anaState(group, state);
        log.line("ANA group " + group + " of " + subsystem.nqn() + " is " + words.get(2));
        return "";
    }

    private String why(final String host) {
        final Refusal refusal = target.refusals().of(host);
        if (refusal == null) {
            return "no Connect of " + host + " was refused\n";
        }
        return refusal.time().truncatedTo(ChronoUnit.SECONDS) + " "
                + refusal.reason().label() + ": " + refusal.text()
                + "\nsubsystem " + (refusal.subsystem().isEmpty() ? "(none)" : refusal.subsystem()) + ", from "
                + refusal.peer() + ", refused " + refusal.count() + (refusal.count() == 1 ? " time\n" : " times\n");
    }

    private String drain(final List<String> words) throws InterruptedException {
        final Collection<Subsystem> all = all(words);
        final CountDownLatch left = new CountDownLatch(all.size());
        all.forEach(subsystem -> subsystem.drain("drained by goblin-nvmf-ctl", left::countDown));
        if (!left.await(DRAIN_SECONDS, TimeUnit.SECONDS)) {
            throw new BadOption("storage has not finished within " + DRAIN_SECONDS + " s; it goes on");
        }
        return "drained: hosts are told to come back, and nothing is at storage\n";
    }

    private String resume(final List<String> words) {
        all(words).forEach(subsystem -> {
            subsystem.resume();
            log.line("hosts may connect to " + subsystem.nqn());
        });
        return "";
    }

    private Collection<Subsystem> all(final List<String> words) {
        return words.isEmpty() ? target.subsystems() : List.of(subsystem(words.getFirst()));
    }

    private String stats() {
        final StringBuilder text = new StringBuilder();
        samples.get().forEach(sample -> text.append(sample).append('\n'));
        return text.toString();
    }

    private Subsystem subsystem(final String nqn) {
        // The one of discovery is found by name as well, and nothing of it can be changed.
        if (!settings.containsKey(nqn)) {
            throw new BadOption("there is no subsystem " + nqn + "; there are "
                    + String.join(", ", new TreeMap<>(settings).keySet()));
        }
        return target.subsystem(nqn);
    }

    private static int nsid(final Given given) {
        return (int) given.number(1, NamespaceTable.MAX_NSID);
    }

    private static String hostName(final String host) {
        return new Given("host", List.of(host)).nqn();
    }
}
