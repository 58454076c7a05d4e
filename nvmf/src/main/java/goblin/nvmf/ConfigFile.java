// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A configuration file: lines {@code key = value} with the keys of the command line, first those of the process, then a
 * section {@code [subsystem NQN]} for each subsystem. A switch stands alone. Empty lines and lines that begin with
 * {@code #} mean nothing.
 *
 * @param process    what stands before the first section
 * @param subsystems what stands in each section, by the NQN as it was given, in the file's order
 */
record ConfigFile(GivenSettings process, Map<Given, GivenSettings> subsystems) {

    /**
     * Reads a file.
     *
     * @param given what named it
     * @throws BadOption with the file's name and, for what stands in it, the line's number
     */
    static ConfigFile read(final Given given) {
        final Path path = given.path();
        final List<String> lines;
        try {
            lines = Files.readAllLines(path);
        } catch (final CharacterCodingException e) {
            throw given.bad("it is not UTF-8 text");
        } catch (final IOException e) {
            throw given.bad("it cannot be read");
        }
        return parse(given.word(), lines);
    }

    /** Reads the lines of a file. */
    static ConfigFile parse(final String name, final List<String> lines) {
        final ConfigFile file = new ConfigFile(new GivenSettings(), new LinkedHashMap<>());
        GivenSettings section = file.process;
        for (int i = 0; i < lines.size(); i++) {
            final String line = lines.get(i).strip();
            final String where = name + " line " + (i + 1) + ": ";
            if (line.startsWith("[")) {
                section = file.open(where, line);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                file.add(section, where, line);
            }
        }
        return file;
    }

    private GivenSettings open(final String where, final String line) {
        final String[] words = line.endsWith("]")
                ? line.substring(1, line.length() - 1).strip().split("\\s+")
                : new String[0];
        if (words.length != 2 || !"subsystem".equals(words[0])) {
            throw new BadOption(where + line + ": a section is [subsystem NQN]");
        }
        final GivenSettings section = new GivenSettings();
        subsystems.put(new Given(where + "subsystem", List.of(words[1])), section);
        return section;
    }

    private void add(final GivenSettings section, final String where, final String line) {
        final int equals = line.indexOf('=');
        final String label = (equals < 0 ? line : line.substring(0, equals)).strip();
        final Key key = Key.of(label).orElseThrow(() -> new BadOption(where + label + ": unknown key"));
        final Key.Scope scope = section == process ? Key.Scope.PROCESS : Key.Scope.SUBSYSTEM;
        if (key.scope() != scope) {
            throw new BadOption(where + label + ": "
                    + switch (key.scope()) {
                        case PROCESS -> "stands before the first section";
                        case SUBSYSTEM -> "stands in a section [subsystem NQN]";
                        case COMMAND_LINE -> "stands on the command line only";
                    });
        }
        section.add(
                key, new Given(where + label, words(key, where + label, equals < 0 ? "" : line.substring(equals + 1))));
    }

    private static List<String> words(final Key key, final String origin, final String value) {
        final String text = value.strip();
        final List<String> words = new ArrayList<>();
        if (key.words() == 1 && !text.isEmpty()) {
            words.add(text);
        } else if (!text.isEmpty()) {
            words.addAll(List.of(text.split("\\s+")));
        }
        if (words.size() != key.words()) {
            throw new BadOption(origin + ": "
                    + (key.words() == 0 ? "takes no value" : "is written " + key.label() + " = " + key.parameters()));
        }
        return words;
    }
}
