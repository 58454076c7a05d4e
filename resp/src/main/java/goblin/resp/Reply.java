// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigInteger;
import java.util.List;

/**
 * One whole reply as Java objects, for tools and tests. Text has one character for each byte (ISO 8859-1), so that
 * nothing is lost. Immutable.
 */
public sealed interface Reply {

    /**
     * A simple string, {@code +}.
     *
     * @param text its text
     */
    record Simple(String text) implements Reply {}

    /**
     * An error, {@code -}.
     *
     * @param text code and message
     */
    record Failure(String text) implements Reply {}

    /**
     * An error that came as a bulk, {@code !}.
     *
     * @param text code and message
     */
    record BulkFailure(String text) implements Reply {}

    /**
     * An integer, {@code :}.
     *
     * @param value its value
     */
    record Int(long value) implements Reply {
        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    /**
     * A bulk string, {@code $}.
     *
     * @param text its bytes
     */
    record Bulk(String text) implements Reply {
        /**
         * The bytes.
         *
         * @return a new array
         */
        public byte[] bytes() {
            return text.getBytes(ISO_8859_1);
        }
    }

    /** The three forms of nothing. */
    enum Null implements Reply {
        /** {@code $-1}. */
        BULK,
        /** {@code *-1}. */
        ARRAY,
        /** {@code _}. */
        RESP3
    }

    /**
     * An array, {@code *}.
     *
     * @param items its elements
     */
    record Array(List<Reply> items) implements Reply {}

    /**
     * A set, {@code ~}.
     *
     * @param items its elements in their order on the wire
     */
    record Set(List<Reply> items) implements Reply {}

    /**
     * A push, {@code >}: no answer to a command.
     *
     * @param items its elements
     */
    record Push(List<Reply> items) implements Reply {}

    /**
     * One entry of a map.
     *
     * @param key   its key
     * @param value its value
     */
    record Pair(Reply key, Reply value) {}

    /**
     * A map, {@code %}.
     *
     * @param pairs its entries in their order on the wire
     */
    record Map(List<Pair> pairs) implements Reply {
        /**
         * Looks an entry up.
         *
         * @param key text of its key
         * @return its value, or null when there is none
         */
        public Reply get(final String key) {
            return pairs.stream()
                    .filter(pair -> pair.key.text().equals(key))
                    .map(Pair::value)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * A truth value, {@code #}.
     *
     * @param value its value
     */
    record Bool(boolean value) implements Reply {}

    /**
     * A floating-point number, {@code ,}.
     *
     * @param value its value
     */
    record Real(double value) implements Reply {}

    /**
     * An integer of any size, {@code (}.
     *
     * @param value its value
     */
    record Big(BigInteger value) implements Reply {}

    /**
     * Text with a format, {@code =}.
     *
     * @param format three characters
     * @param text   the text
     */
    record Verbatim(String format, String text) implements Reply {}

    /**
     * A reply with an attribute in front, {@code |}.
     *
     * @param attributes the attribute's entries
     * @param reply      the reply itself
     */
    record Attributed(List<Pair> attributes, Reply reply) implements Reply {}

    /**
     * The reply's text, for types that are text; a description of the others.
     *
     * @return never null
     */
    default String text() {
        return toString();
    }

    /**
     * Tells whether this is an error.
     *
     * @return true for both forms
     */
    default boolean isError() {
        return this instanceof Failure || this instanceof BulkFailure;
    }
}
