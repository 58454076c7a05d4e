// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;

/**
 * Reads {@code HELLO [protocol [AUTH user password] [SETNAME name]]}, the same way for host and edge, in Redis's words
 * where it refuses. It only reads: nothing of a refused request may take effect, and what is accepted takes effect
 * after authentication. Reusable; one thread; a request without mistakes allocates nothing.
 */
public final class HelloRequest {
    private static final int NONE = -1;

    private int protocol;
    private int user;
    private int name;
    private String error;

    /** Makes a reader that has read nothing. */
    public HelloRequest() {
        clear();
    }

    private void clear() {
        protocol = 0;
        user = NONE;
        name = NONE;
        error = null;
    }

    /**
     * Reads a request.
     *
     * @param arguments the whole command, {@code HELLO} included
     * @return whether it is well-formed; {@link #error} says what is wrong otherwise
     */
    public boolean parse(final Arguments arguments) {
        clear();
        final int count = arguments.argumentCount();
        if (count > 1 && !readProtocol(arguments)) {
            return false;
        }
        int at = 2;
        while (at < count) {
            final long option = arguments.argument(at);
            final int length = arguments.argumentLength(at);
            if (at + 2 < count && Ascii.equalsIgnoreCase(option, length, "AUTH")) {
                user = at + 1;
                at += 3;
            } else if (at + 1 < count && Ascii.equalsIgnoreCase(option, length, "SETNAME")) {
                name = at + 1;
                if (!isClientName(arguments.argument(name), arguments.argumentLength(name))) {
                    return refuse(ErrorTexts.CLIENT_NAME);
                }
                at += 2;
            } else {
                return refuse(ErrorTexts.helloOption(option, length));
            }
        }
        return true;
    }

    private boolean readProtocol(final Arguments arguments) {
        final long text = arguments.argument(1);
        final int length = arguments.argumentLength(1);
        if (!Decimal.isLong(text, length)) {
            return refuse(ErrorTexts.PROTOCOL_VERSION);
        }
        final long version = Decimal.toLong(text, length);
        if (version < 2 || version > 3) {
            return refuse(ErrorTexts.NOPROTO);
        }
        protocol = (int) version;
        return true;
    }

    private boolean refuse(final String text) {
        clear();
        error = text;
        return false;
    }

    /**
     * Tells whether a client may be called so: printable ASCII without blanks. An empty name takes a name away.
     *
     * @param address first byte of the name
     * @param length  its bytes, 0 or more
     * @return false when there is any other byte
     */
    public static boolean isClientName(final long address, final int length) {
        for (int i = 0; i < length; i++) {
            final byte value = Memory.getByte(address + i);
            if (value < '!' || value > '~') {
                return false;
            }
        }
        return true;
    }

    /**
     * The protocol asked for.
     *
     * @return 2, 3, or 0 when the request leaves it as it is
     */
    public int protocol() {
        return protocol;
    }

    /**
     * Tells whether the request wants to authenticate.
     *
     * @return true when there is a user and a password
     */
    public boolean hasAuth() {
        return user != NONE;
    }

    /**
     * Which argument is the user's name.
     *
     * @return an index, or -1
     */
    public int userIndex() {
        return user;
    }

    /**
     * Which argument is the password.
     *
     * @return an index, or -1
     */
    public int passwordIndex() {
        return user == NONE ? NONE : user + 1;
    }

    /**
     * Which argument is the client's new name.
     *
     * @return an index, or -1 when the request leaves the name as it is
     */
    public int nameIndex() {
        return name;
    }

    /**
     * What is wrong with the request.
     *
     * @return the error's code and text, or null
     */
    public String error() {
        return error;
    }
}
