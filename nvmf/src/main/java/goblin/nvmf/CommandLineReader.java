// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line of {@code goblin-nvmf}, made from {@link Key}. */
final class CommandLineReader {
    private static final String HELP = "--help";
    private static final String VERSION = "--version";

    private CommandLineReader() {}

    /** The command line as picocli sees it. */
    static CommandLine commandLine() {
        final CommandSpec spec = CommandSpec.create()
                .name(NvmfMain.NAME)
                .addOption(OptionSpec.builder(HELP)
                        .usageHelp(true)
                        .description("Print this help and exit.")
                        .build())
                .addOption(OptionSpec.builder(VERSION)
                        .versionHelp(true)
                        .description("Print the release and exit.")
                        .build());
        spec.version(NvmfMain.NAME + " " + Version.TEXT);
        spec.usageMessage()
                .customSynopsis(NvmfMain.NAME + " [OPTION]...")
                .description("NVMe/TCP target: serves memory, files and block devices to Linux and other NVMe hosts.")
                .autoWidth(true)
                .sortOptions(false);
        for (final Key key : Key.values()) {
            spec.addOption(option(key));
        }
        // An argument that begins with @ is what it is, not the name of a file with more.
        return new CommandLine(spec).setExpandAtFiles(false);
    }

    /**
     * Reads a command line.
     *
     * @return what was given
     * @throws BadOption when picocli cannot make sense of it
     */
    static GivenSettings read(final CommandLine commandLine, final String... args) {
        final ParseResult result;
        try {
            result = commandLine.parseArgs(args);
        } catch (final ParameterException e) {
            throw new BadOption(e.getMessage().lines().findFirst().orElse("bad option"));
        }
        final GivenSettings given = new GivenSettings();
        for (final Key key : Key.values()) {
            if (!result.hasMatchedOption(name(key))) {
                continue;
            }
            final int each = key.words();
            if (each == 0) {
                given.add(key, new Given(name(key), List.of()));
                continue;
            }
            final List<String> words = result.matchedOptionValue(name(key), List.<String>of());
            for (int i = 0; i < words.size(); i += each) {
                given.add(key, new Given(name(key), List.copyOf(words.subList(i, i + each))));
            }
        }
        return given;
    }

    private static OptionSpec option(final Key key) {
        final OptionSpec.Builder builder =
                OptionSpec.builder(name(key)).description(key.text()).hideParamSyntax(true);
        if (key.words() == 0) {
            return builder.arity("0").build();
        }
        return builder.arity(Integer.toString(key.words()))
                .paramLabel(key.parameters())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build();
    }

    private static String name(final Key key) {
        return "--" + key.label();
    }
}
