// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

/** The types of values, with the names that {@code TYPE} answers. */
public enum ValueType {
    /** Bytes or a number. */
    STRING("string"),
    /** A deque of byte strings. */
    LIST("list"),
    /** Distinct byte strings. */
    SET("set"),
    /** Distinct byte strings ordered by score. */
    SORTED_SET("zset"),
    /** Fields with values. */
    HASH("hash");

    private final String label;

    ValueType(final String label) {
        this.label = label;
    }

    /**
     * The name on the wire.
     *
     * @return lower-case ASCII
     */
    public String label() {
        return label;
    }
}
