// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.Arrays;

/**
 * What a host has set of a controller's features. On the admin queue's loop, but for what other loops look at with every
 * command.
 */
final class Features {
    static final int ARBITRATION = 0x01;
    static final int POWER_MANAGEMENT = 0x02;
    static final int TEMPERATURE_THRESHOLD = 0x04;
    static final int ERROR_RECOVERY = 0x05;
    static final int VOLATILE_WRITE_CACHE = 0x06;
    static final int NUMBER_OF_QUEUES = 0x07;
    static final int INTERRUPT_COALESCING = 0x08;
    static final int INTERRUPT_VECTOR = 0x09;
    static final int WRITE_ATOMICITY = 0x0A;
    static final int ASYNC_EVENTS = 0x0B;
    static final int KEEP_ALIVE = 0x0F;
    static final int HOST_BEHAVIOR = 0x16;
    static final int HOST_IDENTIFIER = 0x81;

    static final int HOST_BEHAVIOR_BYTES = 512;

    private static final int SIMPLE = 0x10;
    /** Above the highest temperature there is. */
    private static final int DEFAULT_OVER_TEMPERATURE = 0xFFFF;

    private final int maxQueues;
    private final int[] simple = new int[SIMPLE];
    private final byte[] hostBehavior = new byte[HOST_BEHAVIOR_BYTES];
    private int underTemperature;
    private volatile boolean writeCacheEnabled;
    private volatile int grantedQueues;

    Features(final TargetOptions options) {
        maxQueues = options.maxIoQueues();
        reset();
    }

    /** Back to the defaults, as a controller reset does. */
    void reset() {
        Arrays.fill(simple, 0);
        Arrays.fill(hostBehavior, (byte) 0);
        simple[TEMPERATURE_THRESHOLD] = DEFAULT_OVER_TEMPERATURE;
        underTemperature = 0;
        writeCacheEnabled = true;
        grantedQueues = maxQueues;
    }

    /** False: every write is durable before it completes. */
    boolean writeCacheEnabled() {
        return writeCacheEnabled;
    }

    void writeCacheEnabled(final boolean yes) {
        writeCacheEnabled = yes;
    }

    /** The highest identifier of an I/O queue. */
    int grantedQueues() {
        return grantedQueues;
    }

    void grantQueues(final int wanted) {
        grantedQueues = Math.min(wanted, maxQueues);
    }

    /** The value of a feature that means nothing to us. */
    int value(final int feature) {
        return simple[feature];
    }

    void value(final int feature, final int value) {
        simple[feature] = value;
    }

    int underTemperature() {
        return underTemperature;
    }

    void underTemperature(final int value) {
        underTemperature = value;
    }

    byte[] hostBehavior() {
        return hostBehavior;
    }

    /** Whether the host takes a retry delay (ACRE). */
    boolean hostTakesRetryDelays() {
        return hostBehavior[0] == 1;
    }
}
