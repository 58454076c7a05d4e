// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

/**
 * What a key holds. Owned by the loop's thread; a value that is in the keyspace belongs to exactly one entry.
 *
 * <p>After a value was changed in place the caller tells {@link Keyspace#modified}, which reads {@link #bytes} again.
 */
public abstract class Value {

    /**
     * The type that {@code TYPE} names and that {@code WRONGTYPE} is about.
     *
     * @return never null
     */
    public abstract ValueType type();

    /**
     * The name that {@code OBJECT ENCODING} answers, by Redis's thresholds.
     *
     * @return for example {@code listpack}
     */
    public abstract String encoding();

    /**
     * An estimate of the memory this value takes, kept up to date by the value so that asking costs nothing.
     *
     * @return bytes, at least 0
     */
    public abstract long bytes();

    /**
     * A deep copy, for {@code COPY}.
     *
     * @return a value that shares nothing mutable with this one
     */
    public abstract Value copy();
}
