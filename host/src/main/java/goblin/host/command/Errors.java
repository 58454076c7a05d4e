// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.linux.Memory;

/** Texts of errors that several families answer, worded as Redis 7.2 does, because libraries compare them. */
public final class Errors {
    /** The key holds another type. */
    public static final String WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";
    /** Options make no sense. */
    public static final String SYNTAX = "ERR syntax error";
    /** Not a whole number of 64 bits. */
    public static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
    /** Not a finite floating-point number. */
    public static final String NOT_A_FLOAT = "ERR value is not a valid float";
    /** The key must exist. */
    public static final String NO_SUCH_KEY = "ERR no such key";
    /** Past the memory limit. */
    public static final String OOM = "OOM command not allowed when used memory > 'maxmemory'.";
    /** An index outside. */
    public static final String OUT_OF_RANGE = "ERR index out of range";
    /** Must be 0 or more. */
    public static final String NOT_POSITIVE = "ERR value is out of range, must be positive";
    /** A string would become longer than a bulk string may be. */
    public static final String TOO_LONG = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    /** Not inside MULTI. */
    public static final String NO_MULTI = "ERR Command not allowed inside a transaction";
    /** A script runs too long. */
    public static final String BUSY =
            "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

    private Errors() {}

    /**
     * The number of words is wrong.
     *
     * @param fullName of the command, in lower case
     * @return the whole error
     */
    public static String wrongNumberOfArguments(final String fullName) {
        return "ERR wrong number of arguments for '" + fullName + "' command";
    }

    /** No such command; the first words are repeated, cut as Redis cuts them. */
    static String unknownCommand(final Arguments args) {
        final StringBuilder text = new StringBuilder("ERR unknown command '");
        appendCut(text, args, 0, 128);
        text.append("', with args beginning with: ");
        final int start = text.length();
        for (int i = 1; i < args.count() && text.length() - start < 128; i++) {
            text.append('\'');
            appendCut(text, args, i, 128 - (text.length() - start));
            text.append("' ");
        }
        return text.toString();
    }

    /** No such subcommand. */
    static String unknownSubcommand(final Arguments args, final CommandSpec container) {
        final StringBuilder text = new StringBuilder("ERR unknown subcommand '");
        appendCut(text, args, 1, 128);
        return text.append("'. Try ")
                .append(container.name().toUpperCase(java.util.Locale.ROOT))
                .append(" HELP.")
                .toString();
    }

    private static void appendCut(final StringBuilder text, final Arguments args, final int index, final int most) {
        final int length = Math.min(args.length(index), most);
        for (int i = 0; i < length; i++) {
            text.append((char) (Memory.getByte(args.address(index) + i) & 0xFF));
        }
    }
}
