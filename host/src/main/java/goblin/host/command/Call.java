// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.Keyspace;
import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;
import goblin.net.linux.Memory;
import goblin.resp.ReplyWriter;

/**
 * One run of one command: its arguments, who asks, and where the reply goes. The dispatcher keeps one instance for each
 * depth (top, inside EXEC, inside a script) and uses it again and again, so a command must not keep it.
 */
public final class Call {
    private static final int LARGE = 32 << 10;

    private final Server server;
    Client client;
    CommandSpec spec;
    Arguments args;
    ReplyWriter reply;
    boolean inTransaction;
    boolean fromScript;
    boolean reexecuted;

    Call(final Server server) {
        this.server = server;
    }

    /**
     * The server's state.
     *
     * @return never null
     */
    public Server server() {
        return server;
    }

    /**
     * Who asks; a script's commands have the script's client.
     *
     * @return never null
     */
    public Client client() {
        return client;
    }

    /**
     * The row of the table.
     *
     * @return never null
     */
    public CommandSpec spec() {
        return spec;
    }

    /**
     * The words.
     *
     * @return valid during the call
     */
    public Arguments args() {
        return args;
    }

    /**
     * Number of words, the name included.
     *
     * @return at least 1
     */
    public int count() {
        return args.count();
    }

    /**
     * Where a word lies.
     *
     * @param index 0 is the name
     * @return native address
     */
    public long address(final int index) {
        return args.address(index);
    }

    /**
     * How long a word is.
     *
     * @param index 0 is the name
     * @return bytes
     */
    public int length(final int index) {
        return args.length(index);
    }

    /**
     * A copy of a word.
     *
     * @param index 0 is the name
     * @return a new array
     */
    public byte[] bytes(final int index) {
        return args.bytes(index);
    }

    /**
     * Compares a word with an option's name, ignoring case.
     *
     * @param index 0 is the name
     * @param upper in upper-case ASCII
     * @return whether they are equal
     */
    public boolean is(final int index, final String upper) {
        return args.is(index, upper);
    }

    /**
     * Where the reply goes, in the client's (or the script's) protocol.
     *
     * @return valid during the call
     */
    public ReplyWriter reply() {
        return reply;
    }

    /**
     * The keyspace.
     *
     * @return never null
     */
    public Keyspace keyspace() {
        return server.keyspace();
    }

    /**
     * The time this command runs at, the same for the whole command.
     *
     * @return milliseconds since 1970
     */
    public long nowMs() {
        return server.nowMs();
    }

    /**
     * Whether the command runs inside EXEC.
     *
     * @return then it must not block
     */
    public boolean inTransaction() {
        return inTransaction;
    }

    /**
     * Whether a script called it.
     *
     * @return then it must not block
     */
    public boolean fromScript() {
        return fromScript;
    }

    /**
     * Whether the command may wait: not inside EXEC and not from a script, where it answers as at its timeout.
     *
     * @return true at the top level
     */
    public boolean mayBlock() {
        return !inTransaction && !fromScript && client.mayBlock();
    }

    /**
     * Whether this is a waiting command that runs again because one of its keys got a value.
     *
     * @return then its deadline and place in the queue stay
     */
    public boolean reexecuted() {
        return reexecuted;
    }

    /**
     * Looks a key up for reading.
     *
     * @param index the key's place
     * @return the entry or null
     */
    public Entry read(final int index) {
        return server.keyspace().read(args.address(index), args.length(index));
    }

    /**
     * Looks a key up for writing.
     *
     * @param index the key's place
     * @return the entry or null
     */
    public Entry write(final int index) {
        return server.keyspace().write(args.address(index), args.length(index));
    }

    /**
     * Answers {@code WRONGTYPE} when an entry holds another type.
     *
     * @param entry    may be null
     * @param expected the type the command works on
     * @return true when the error was written and the command must end
     */
    public boolean isWrongType(final Entry entry, final ValueType expected) {
        if (entry == null || entry.value().type() == expected) {
            return false;
        }
        error(Errors.WRONG_TYPE);
        return true;
    }

    /**
     * Adds a key that is not there; {@code new} is announced to those who asked. Call {@link #modified} afterwards.
     *
     * @param index the key's place
     * @param value its value
     * @return the new entry
     */
    public Entry add(final int index, final Value value) {
        return server.keyspace().add(args.address(index), args.length(index), value);
    }

    /**
     * Says that an entry's value was changed (accounting, WATCH, client caches) and announces the event.
     *
     * @param entry the entry
     * @param of    the event's class
     * @param event its name
     */
    public void modified(final Entry entry, final EventClass of, final String event) {
        server.keyspace().modified(entry);
        server.notifications().publish(of, event, entry.key());
    }

    /**
     * Announces an event.
     *
     * @param of    its class
     * @param event its name
     * @param key   the key it is about
     */
    public void event(final EventClass of, final String event, final byte[] key) {
        server.notifications().publish(of, event, key);
    }

    /**
     * Removes an entry and announces {@code del}.
     *
     * @param entry the entry
     */
    public void delete(final Entry entry) {
        server.keyspace().delete(entry);
        server.notifications().publish(EventClass.GENERIC, "del", entry.key());
    }

    /**
     * Reads a word as a whole number, or answers that it is none.
     *
     * @param index the word's place
     * @return false when the error was written and the command must end; else {@link #parsed} is the number
     */
    public boolean integer(final int index) {
        if (args.parseLong(index)) {
            return true;
        }
        error(Errors.NOT_AN_INTEGER);
        return false;
    }

    /**
     * What {@link #integer} read last.
     *
     * @return the number
     */
    public long parsed() {
        return args.parsed();
    }

    /**
     * Answers an error.
     *
     * @param text code and text, such as {@code ERR syntax error}
     */
    public void error(final String text) {
        reply.error(text);
    }

    /** Answers that the syntax is wrong. */
    public void syntaxError() {
        reply.error(Errors.SYNTAX);
    }

    /** Answers that the number of words is wrong. */
    public void wrongNumberOfArguments() {
        reply.error(Errors.wrongNumberOfArguments(spec.fullName()));
    }

    /**
     * Answers a word as a bulk string.
     *
     * @param index the word's place
     */
    public void bulk(final int index) {
        reply.bulk(args.address(index), args.length(index));
    }

    /**
     * Answers the front of an array as a bulk string; large ones are copied only once on their way out.
     *
     * @param bytes  the array
     * @param length how much of it
     */
    public void bulk(final byte[] bytes, final int length) {
        reply.bulkHeader(length);
        if (length >= LARGE && !fromScript && !client.isMuted()) {
            client.outputLarge(bytes, length);
        } else {
            reply.buffer().append(bytes, 0, length);
        }
        reply.bulkEnd();
    }

    /**
     * Compares a word with bytes.
     *
     * @param index the word's place
     * @param bytes any
     * @return whether they are equal
     */
    public boolean sameBytes(final int index, final byte[] bytes) {
        return args.length(index) == bytes.length && Memory.equal(args.address(index), bytes, 0, bytes.length);
    }
}
