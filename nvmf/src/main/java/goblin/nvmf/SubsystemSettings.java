// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.target.AnaState;
import goblin.nvmf.target.Nqn;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One subsystem as it was asked for, checked.
 *
 * @param nqn          its name
 * @param serial       1 to 20 characters
 * @param model        1 to 40 characters
 * @param anyHost      whether every host may connect
 * @param hosts        those that may
 * @param namespaces   those without a number have the lowest that are left, in this order
 * @param blockBytes   512 or 4096
 * @param anaGroup     1 to 128
 * @param anaState     of that group
 * @param lowestId     of the controllers
 * @param highestId    of the controllers
 */
record SubsystemSettings(
        String nqn,
        String serial,
        String model,
        boolean anyHost,
        List<String> hosts,
        List<NamespaceSpec> namespaces,
        int blockBytes,
        int anaGroup,
        AnaState anaState,
        int lowestId,
        int highestId) {
    private static final int SERIAL_CHARACTERS = 20;
    private static final int MODEL_CHARACTERS = 40;
    private static final int HIGHEST_CONTROLLER_ID = 0xFFEF;
    private static final int DEFAULT_BLOCK_BYTES = 4096;
    private static final int MOST_ANA_GROUPS = 128;

    /**
     * Checks what was given for a subsystem.
     *
     * @throws BadOption for the first that is wrong
     */
    static SubsystemSettings of(final Given name, final GivenSettings given) {
        final String nqn = name.nqn();
        if (nqn.equals(Nqn.DISCOVERY)) {
            throw name.bad("that is the name of discovery, which is served anyway");
        }
        if (given.has(Key.ALLOW_ANY_HOST) && given.has(Key.ALLOW_HOST)) {
            throw new BadOption(given.list(Key.ALLOW_HOST).getFirst().origin() + ": every host is allowed already by "
                    + given.list(Key.ALLOW_ANY_HOST).getFirst().origin());
        }
        final int[] ids = given.get(Key.CONTROLLER_ID_RANGE)
                .map(SubsystemSettings::range)
                .orElse(new int[] {1, HIGHEST_CONTROLLER_ID});
        return new SubsystemSettings(
                nqn,
                given.get(Key.SERIAL).map(g -> g.text(SERIAL_CHARACTERS)).orElseGet(() -> derivedSerial(nqn)),
                given.get(Key.MODEL).map(g -> g.text(MODEL_CHARACTERS)).orElse("Goblin"),
                given.has(Key.ALLOW_ANY_HOST),
                given.list(Key.ALLOW_HOST).stream().map(Given::nqn).distinct().toList(),
                given.list(Key.NAMESPACE).stream().map(SubsystemSettings::spec).toList(),
                given.get(Key.BLOCK_SIZE).map(SubsystemSettings::blockBytes).orElse(DEFAULT_BLOCK_BYTES),
                given.get(Key.ANA_GROUP)
                        .map(g -> (int) g.number(1, MOST_ANA_GROUPS))
                        .orElse(1),
                given.get(Key.ANA_STATE).map(g -> g.choice(AnaState.class)).orElse(AnaState.OPTIMIZED),
                ids[0],
                ids[1]);
    }

    private static NamespaceSpec spec(final Given given) {
        try {
            return NamespaceSpec.parse(given.word());
        } catch (final NamespaceException e) {
            throw new BadOption(given.origin() + ": " + e.getMessage());
        }
    }

    /** A block size. */
    static int blockBytes(final Given given) {
        return switch (given.word()) {
            case "512" -> 512;
            case "4096" -> DEFAULT_BLOCK_BYTES;
            default -> throw given.bad("allowed are 512 and 4096");
        };
    }

    private static int[] range(final Given given) {
        final String allowed = "allowed is MIN-MAX with 1 <= MIN <= MAX <= " + HIGHEST_CONTROLLER_ID;
        if (!given.word().matches("[0-9]{1,5}-[0-9]{1,5}")) {
            throw given.bad(allowed);
        }
        final String[] ends = given.word().split("-", 2);
        final int lowest = Integer.parseInt(ends[0]);
        final int highest = Integer.parseInt(ends[1]);
        if (lowest < 1 || lowest > highest || highest > HIGHEST_CONTROLLER_ID) {
            throw given.bad(allowed);
        }
        return new int[] {lowest, highest};
    }

    /** The same for a name on every target and at every start: hosts take a changed serial for another device. */
    static String derivedSerial(final String nqn) {
        final byte[] hash;
        try {
            hash = MessageDigest.getInstance("SHA-256").digest(nqn.getBytes(StandardCharsets.UTF_8));
        } catch (final NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        final HexFormat hex = HexFormat.of().withUpperCase();
        return "GOB" + hex.formatHex(hash, 0, (SERIAL_CHARACTERS - "GOB".length()) / 2);
    }
}
