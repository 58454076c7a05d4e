// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * What a subsystem is when it is added.
 *
 * @param nqn             its name
 * @param serial          up to 20 printable ASCII characters
 * @param model           up to 40 printable ASCII characters
 * @param anyHost         whether every host may connect
 * @param hosts           the names of those that may otherwise
 * @param firstController the lowest controller identifier, 1 or more
 * @param lastController  the highest, up to 65519; targets that serve one subsystem together have ranges of their own
 */
public record SubsystemOptions(
        String nqn,
        String serial,
        String model,
        boolean anyHost,
        Set<String> hosts,
        int firstController,
        int lastController) {

    /** The highest controller identifier there is (FFEFh); those above are reserved. */
    public static final int MAX_CONTROLLER = 65519;

    /** The model unless told otherwise. */
    public static final String DEFAULT_MODEL = "Goblin NVMe/TCP";

    /** Checks the values. */
    public SubsystemOptions {
        require(Nqn.isValid(nqn), "not a name of a subsystem: " + nqn);
        require(isPrintable(serial, 20), "the serial number must be 1 to 20 printable characters");
        require(isPrintable(model, 40), "the model must be 1 to 40 printable characters");
        hosts = Set.copyOf(hosts);
        for (final String host : hosts) {
            require(Nqn.isValid(host), "not a name of a host: " + host);
        }
        require(
                firstController >= 1 && firstController <= lastController && lastController <= MAX_CONTROLLER,
                "controller identifiers must be in the range 1 to " + MAX_CONTROLLER);
    }

    /**
     * A subsystem that no host may connect to yet, with a serial number that comes from its name.
     *
     * @param nqn its name
     * @return options
     */
    public static SubsystemOptions named(final String nqn) {
        return new SubsystemOptions(nqn, serialOf(nqn), DEFAULT_MODEL, false, Set.of(), 1, MAX_CONTROLLER);
    }

    /**
     * The same with another serial number.
     *
     * @param number up to 20 printable ASCII characters
     * @return new options
     */
    public SubsystemOptions withSerial(final String number) {
        return new SubsystemOptions(nqn, number, model, anyHost, hosts, firstController, lastController);
    }

    /**
     * The same with another model.
     *
     * @param text up to 40 printable ASCII characters
     * @return new options
     */
    public SubsystemOptions withModel(final String text) {
        return new SubsystemOptions(nqn, serial, text, anyHost, hosts, firstController, lastController);
    }

    /**
     * The same, open to every host.
     *
     * @return new options
     */
    public SubsystemOptions withAnyHost() {
        return new SubsystemOptions(nqn, serial, model, true, hosts, firstController, lastController);
    }

    /**
     * The same, with other hosts on the list.
     *
     * @param allowed their names
     * @return new options
     */
    public SubsystemOptions withHosts(final Set<String> allowed) {
        return new SubsystemOptions(nqn, serial, model, anyHost, allowed, firstController, lastController);
    }

    /**
     * The same with another range of controller identifiers.
     *
     * @param first the lowest, 1 or more
     * @param last  the highest, up to {@link #MAX_CONTROLLER}
     * @return new options
     */
    public SubsystemOptions withControllers(final int first, final int last) {
        return new SubsystemOptions(nqn, serial, model, anyHost, hosts, first, last);
    }

    private static String serialOf(final String nqn) {
        try {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(nqn.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(digest, 0, 10);
        } catch (final NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isPrintable(final String text, final int most) {
        return !text.isEmpty() && text.length() <= most && text.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
    }

    private static void require(final boolean holds, final String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
