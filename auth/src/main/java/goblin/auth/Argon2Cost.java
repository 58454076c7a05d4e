// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

/**
 * What one Argon2id hash costs. The bounds keep a line of a users file from exhausting the process that verifies it.
 *
 * @param memoryKib memory in KiB, 8 for each lane to 262,144 (256 MiB)
 * @param passes passes over the memory, 1 to 64
 * @param lanes lanes, 1 to 16
 */
record Argon2Cost(int memoryKib, int passes, int lanes) {
    static final int MAX_MEMORY_KIB = 262_144;
    static final int MAX_PASSES = 64;
    static final int MAX_LANES = 16;

    /** What new hashes cost: 19 MiB, two passes, one lane. */
    static final Argon2Cost STANDARD = new Argon2Cost(19_456, 2, 1);

    Argon2Cost {
        require("p", lanes, 1, MAX_LANES);
        require("m", memoryKib, 8 * lanes, MAX_MEMORY_KIB);
        require("t", passes, 1, MAX_PASSES);
    }

    private static void require(final String name, final int value, final int least, final int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not in " + least + " to " + most);
        }
    }
}
