// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What {@code CLIENT LIST} shows of a client, and nothing decides on. */
final class ClientAttributes {
    private static final int COMMAND_BYTES = 32;
    private static final byte[] NOTHING = {};

    private final long connectedNs;
    private long lastHeardNs;
    private byte[] name = NOTHING;
    private byte[] libraryName = NOTHING;
    private byte[] libraryVersion = NOTHING;
    private String user = "default";
    private EdgeCommand command;
    private byte[] forwardedName;
    private int forwardedLength;
    private boolean noEvict;
    private boolean noTouch;

    ClientAttributes(final long nowNs) {
        connectedNs = nowNs;
        lastHeardNs = nowNs;
    }

    void heardAt(final long nowNs) {
        lastHeardNs = nowNs;
    }

    void lastCommand(final EdgeCommand read, final Arguments arguments) {
        command = read;
        if (read == EdgeCommands.OTHER) {
            if (forwardedName == null) {
                forwardedName = new byte[COMMAND_BYTES];
            }
            forwardedLength = Math.min(COMMAND_BYTES, arguments.argumentLength(0));
            Memory.copyOut(arguments.argument(0), forwardedName, 0, forwardedLength);
        }
    }

    /** Whether the last command carried a password. */
    boolean lastCommandIsSecret() {
        return command != null && command.isSecret();
    }

    /** The last command in lower case, {@code NULL} before the first. */
    String lastCommandName() {
        if (command == null) {
            return "NULL";
        }
        if (command != EdgeCommands.OTHER) {
            return command.name;
        }
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < forwardedLength; i++) {
            final char c = (char) (forwardedName[i] & 0xFF);
            text.append(c > ' ' && c < 0x7F ? c : '?');
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    long ageSeconds(final long nowNs) {
        return (nowNs - connectedNs) / 1_000_000_000L;
    }

    long idleSeconds(final long nowNs) {
        return (nowNs - lastHeardNs) / 1_000_000_000L;
    }

    byte[] name() {
        return name;
    }

    void name(final byte[] newName) {
        name = newName;
    }

    String nameText() {
        return new String(name, StandardCharsets.UTF_8);
    }

    void libraryName(final byte[] value) {
        libraryName = value;
    }

    void libraryVersion(final byte[] value) {
        libraryVersion = value;
    }

    String libraryNameText() {
        return new String(libraryName, StandardCharsets.UTF_8);
    }

    String libraryVersionText() {
        return new String(libraryVersion, StandardCharsets.UTF_8);
    }

    String user() {
        return user;
    }

    void user(final String newUser) {
        user = newUser;
    }

    void noEvict(final boolean on) {
        noEvict = on;
    }

    void noTouch(final boolean on) {
        noTouch = on;
    }

    boolean noEvict() {
        return noEvict;
    }

    boolean noTouch() {
        return noTouch;
    }

    /** {@code RESET}: what a client has said of itself is forgotten, except its library. */
    void reset() {
        name = NOTHING;
        user = "default";
        noEvict = false;
        noTouch = false;
    }
}
