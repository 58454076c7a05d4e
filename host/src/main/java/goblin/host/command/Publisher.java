// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** A connection that publishes and can be kept from it by not being read. */
public interface Publisher {

    /** Stops reading and executing; calls are counted. */
    void hold();

    /** Undoes one {@link #hold}; after the last one reading goes on. */
    void release();
}
