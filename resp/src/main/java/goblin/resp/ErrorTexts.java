// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import java.util.Locale;

/**
 * What host and edge say when they refuse, word for word as clients know it from Redis 7.2: libraries look at these
 * texts. Each is a code and a message, for {@link ReplyWriter#error(String)}. Texts with parts of a request hold its
 * bytes as they are; the writer makes them harmless.
 */
public final class ErrorTexts {
    /** A command's arguments make no sense together. */
    public static final String SYNTAX = "ERR syntax error";

    /** An argument should be an integer. */
    public static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";

    /** An argument should be a number. */
    public static final String NOT_A_FLOAT = "ERR value is not a valid float";

    /** A key holds another type. */
    public static final String WRONGTYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";

    /** A key should exist. */
    public static final String NO_SUCH_KEY = "ERR no such key";

    /** An index points outside. */
    public static final String INDEX_OUT_OF_RANGE = "ERR index out of range";

    /** There is one database only. */
    public static final String DB_INDEX = "ERR DB index is out of range";

    /** A client must authenticate first. */
    public static final String NOAUTH = "NOAUTH Authentication required.";

    /** {@code HELLO} without {@code AUTH} where a client must authenticate first. */
    public static final String NOAUTH_HELLO =
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH"
                    + " <user> <pass> option can be used to authenticate the client and select the RESP protocol"
                    + " version at the same time";

    /** A user and a password do not belong together. */
    public static final String WRONGPASS = "WRONGPASS invalid username-password pair or user is disabled.";

    /** {@code AUTH} where nobody needs to. */
    public static final String AUTH_NOT_CONFIGURED =
            "ERR AUTH <password> called without any password configured for the default user. Are you sure your"
                    + " configuration is correct?";

    /** {@code HELLO} with a protocol that does not exist. */
    public static final String NOPROTO = "NOPROTO unsupported protocol version";

    /** {@code HELLO} with a protocol that is no number. */
    public static final String PROTOCOL_VERSION = "ERR Protocol version is not an integer or out of range";

    /** A client's name with a blank or a byte that is not printable. */
    public static final String CLIENT_NAME = "ERR Client names cannot contain spaces, newlines or special characters.";

    /** A command that cannot be queued. */
    public static final String NOT_IN_TRANSACTION = "ERR Command not allowed inside a transaction";

    /** {@code EXEC} after a command was refused. */
    public static final String EXECABORT = "EXECABORT Transaction discarded because of previous errors.";

    /** {@code EXEC} out of place. */
    public static final String EXEC_WITHOUT_MULTI = "ERR EXEC without MULTI";

    /** {@code DISCARD} out of place. */
    public static final String DISCARD_WITHOUT_MULTI = "ERR DISCARD without MULTI";

    /** {@code MULTI} out of place. */
    public static final String NESTED_MULTI = "ERR MULTI calls can not be nested";

    /** No memory left for a write. */
    public static final String OOM = "OOM command not allowed when used memory > 'maxmemory'.";

    /** A script runs for too long. */
    public static final String BUSY =
            "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

    /** {@code EVALSHA} of something unknown. */
    public static final String NOSCRIPT = "NOSCRIPT No matching script. Please use EVAL.";

    /** How much of a command's name and arguments is repeated to the client. */
    private static final int REPEATED = 128;

    private ErrorTexts() {}

    /**
     * There is no such command.
     *
     * @param command the whole command
     * @return code and message, with the beginning of the arguments
     */
    public static String unknownCommand(final Arguments command) {
        final StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(beginning(command, 0, REPEATED))
                .append("', with args beginning with: ");
        final int start = text.length();
        int room = REPEATED;
        for (int i = 1; i < command.argumentCount() && room > 0; i++) {
            text.append('\'').append(beginning(command, i, room)).append("' ");
            room = REPEATED - (text.length() - start);
        }
        return text.toString();
    }

    /**
     * There is such a command, but not with this second word.
     *
     * @param command the whole command, of at least two arguments
     * @param name    the command's name as its help is asked for, in capitals
     * @return code and message
     */
    public static String unknownSubcommand(final Arguments command, final String name) {
        return "ERR unknown subcommand '" + beginning(command, 1, REPEATED) + "'. Try " + name + " HELP.";
    }

    /**
     * A command came with too few or too many arguments.
     *
     * @param name the command's name; a subcommand's with a bar, such as {@code client|setname}
     * @return code and message
     */
    public static String wrongNumberOfArguments(final String name) {
        return "ERR wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "' command";
    }

    /**
     * A RESP2 client that has subscribed sent something else than what is allowed then.
     *
     * @param name the command's name
     * @return code and message
     */
    public static String subscribedContext(final String name) {
        return "ERR Can't execute '" + name.toLowerCase(Locale.ROOT)
                + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
    }

    /**
     * {@code HELLO} with an option it does not know, or that lacks something.
     *
     * @param option first byte of the option
     * @param length its bytes
     * @return code and message
     */
    public static String helloOption(final long option, final int length) {
        return "ERR Syntax error in HELLO option '" + Ascii.text(option, Math.min(length, REPEATED)) + "'";
    }

    private static String beginning(final Arguments command, final int index, final int most) {
        return Ascii.text(command.argument(index), Math.min(command.argumentLength(index), most));
    }
}
