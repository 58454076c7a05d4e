// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;

/**
 * The first line of a script that begins with {@code #!}: names the engine and what the script may do.
 *
 * @param length bytes before the line's end, 0 when there is no such line
 * @param flags  an OR of {@link Script}'s constants
 */
record Shebang(int length, int flags) {
    private static final String OPTION = "flags=";

    static Shebang parse(final long address, final long length) throws ScriptError {
        if (length < 2 || Memory.getByte(address) != '#' || Memory.getByte(address + 1) != '!') {
            return new Shebang(0, Script.COMPATIBLE);
        }
        final long end = Memory.indexOf(address, length, (byte) '\n');
        if (end < 0) {
            throw new ScriptError("Invalid script shebang");
        }
        final String[] parts = new String(Memory.toBytes(address, (int) end), ISO_8859_1)
                .trim()
                .split("[ \t\r]+", -1);
        if (!parts[0].equals("#!lua")) {
            throw new ScriptError("Unexpected engine in script shebang: " + parts[0]);
        }
        int flags = 0;
        for (int i = 1; i < parts.length; i++) {
            if (!parts[i].startsWith(OPTION)) {
                throw new ScriptError("Unknown lua shebang option: " + parts[i]);
            }
            final String names = parts[i].substring(OPTION.length());
            if (!names.isEmpty()) {
                for (final String name : names.split(",", -1)) {
                    flags |= flag(name);
                }
            }
        }
        return new Shebang((int) end, flags);
    }

    private static int flag(final String name) throws ScriptError {
        return switch (name) {
            case "no-writes" -> Script.NO_WRITES;
            case "allow-oom" -> Script.ALLOW_OOM;
            case "allow-stale" -> Script.ALLOW_STALE;
            case "no-cluster" -> Script.NO_CLUSTER;
            case "allow-cross-slot-keys" -> Script.ALLOW_CROSS_SLOT_KEYS;
            default -> throw new ScriptError("Unexpected flag in script shebang: " + name);
        };
    }
}
