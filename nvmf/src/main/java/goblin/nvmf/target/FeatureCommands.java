// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.Arrays;

/** Get Features and Set Features. Nothing can be saved. On the admin queue's loop. */
final class FeatureCommands {
    private static final int INVALID = Status.INVALID_FIELD | Status.DO_NOT_RETRY;
    private static final int ALL_NAMESPACES = 0xFFFF_FFFF;

    // Select
    private static final int CURRENT = 0;
    private static final int CAPABILITIES = 3;

    private static final int CHANGEABLE = 1 << 2;
    /** THSEL: 0 over, 1 under; TMPSEL 0 is the composite temperature, the only one there is. */
    private static final int UNDER_TEMPERATURE = 1;

    private static final int ALL_SENSORS = 0xF;
    private static final int EXTENDED_HOST_ID = 1;

    private FeatureCommands() {}

    static boolean begin(final TargetQueue queue, final Request request) {
        final long sqe = request.sqe();
        final boolean set = Sqe.opcode(sqe) == Opcode.SET_FEATURES;
        final int feature = feature(request);
        if (!exists(queue.controller(), feature) || (!set && select(request) > CAPABILITIES)) {
            return TargetQueue.refuse(request, INVALID);
        }
        if (Sqe.nsid(sqe) != 0 && Sqe.nsid(sqe) != ALL_NAMESPACES) {
            return TargetQueue.refuse(
                    request, set ? Status.FEATURE_NOT_NAMESPACE_SPECIFIC | Status.DO_NOT_RETRY : INVALID);
        }
        if (set) {
            return beginSet(request, feature);
        }
        if (select(request) == CAPABILITIES) {
            return TargetQueue.take(request);
        }
        return switch (feature) {
            case Features.HOST_BEHAVIOR -> TargetQueue.take(request, Transfer.TO_HOST, Features.HOST_BEHAVIOR_BYTES);
            case Features.HOST_IDENTIFIER ->
                (Sqe.dword(sqe, 11) & EXTENDED_HOST_ID) == 0
                        ? TargetQueue.refuse(request, INVALID)
                        : TargetQueue.take(request, Transfer.TO_HOST, ConnectData.HOST_ID_BYTES);
            default -> TargetQueue.take(request);
        };
    }

    private static boolean beginSet(final Request request, final int feature) {
        if (Sqe.dword(request.sqe(), 10) < 0) {
            return TargetQueue.refuse(request, Status.FEATURE_NOT_SAVEABLE | Status.DO_NOT_RETRY);
        }
        if (feature == Features.HOST_IDENTIFIER) {
            // On fabrics Connect has said it.
            return TargetQueue.refuse(request, Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY);
        }
        if (!isChangeable(feature)) {
            return TargetQueue.refuse(request, Status.FEATURE_NOT_CHANGEABLE | Status.DO_NOT_RETRY);
        }
        return feature == Features.HOST_BEHAVIOR
                ? TargetQueue.take(request, Transfer.FROM_HOST, Features.HOST_BEHAVIOR_BYTES)
                : TargetQueue.take(request);
    }

    /** Answers Get Features; the status. */
    static int get(final Controller controller, final Request request) {
        final int feature = feature(request);
        final int select = select(request);
        if (select == CAPABILITIES) {
            request.result = isChangeable(feature) ? CHANGEABLE : 0;
            return Status.SUCCESS;
        }
        // What cannot be saved has its default for a saved value.
        final boolean current = select == CURRENT;
        final Features features = current
                ? controller.features()
                : new Features(controller.target().options());
        switch (feature) {
            case Features.HOST_BEHAVIOR -> VectorBytes.write(request.vector(), features.hostBehavior());
            case Features.HOST_IDENTIFIER -> VectorBytes.write(request.vector(), controller.hostId());
            case Features.VOLATILE_WRITE_CACHE -> request.result = features.writeCacheEnabled() ? 1 : 0;
            case Features.NUMBER_OF_QUEUES -> request.result = queues(features);
            case Features.ASYNC_EVENTS ->
                request.result = (current
                                ? controller.events().configuration()
                                : controller.events().supported())
                        & 0xFFFF_FFFFL;
            case Features.KEEP_ALIVE ->
                request.result = current ? controller.keepAlive().timeoutMs() : 0;
            case Features.TEMPERATURE_THRESHOLD -> {
                return getTemperature(features, request);
            }
            case Features.INTERRUPT_VECTOR -> request.result = Sqe.dword(request.sqe(), 11) & 0xFFFF;
            default -> request.result = features.value(feature) & 0xFFFF_FFFFL;
        }
        return Status.SUCCESS;
    }

    /** Does Set Features; the status. */
    static int set(final Controller controller, final Request request) {
        final Features features = controller.features();
        final int value = Sqe.dword(request.sqe(), 11);
        final int feature = feature(request);
        switch (feature) {
            case Features.POWER_MANAGEMENT -> {
                // There is one power state.
                return (value & 0x1F) == 0 ? Status.SUCCESS : INVALID;
            }
            case Features.TEMPERATURE_THRESHOLD -> {
                return setTemperature(features, value);
            }
            case Features.ERROR_RECOVERY -> {
                // No namespace can tell of deallocated blocks by an error.
                if (value >>> 16 != 0) {
                    return INVALID;
                }
                features.value(feature, value);
            }
            case Features.VOLATILE_WRITE_CACHE -> features.writeCacheEnabled((value & 1) != 0);
            case Features.NUMBER_OF_QUEUES -> {
                return setQueues(controller, request, value);
            }
            case Features.WRITE_ATOMICITY -> features.value(feature, value & 1);
            case Features.ASYNC_EVENTS -> controller.events().configuration(value);
            case Features.KEEP_ALIVE -> {
                if (value == 0) {
                    return Status.KEEP_ALIVE_INVALID | Status.DO_NOT_RETRY;
                }
                controller.keepAlive().timeout(value & 0xFFFF_FFFFL);
            }
            case Features.HOST_BEHAVIOR -> {
                return setHostBehavior(features, request);
            }
            default -> features.value(feature, value);
        }
        return Status.SUCCESS;
    }

    private static int setHostBehavior(final Features features, final Request request) {
        final byte[] wanted = VectorBytes.read(request.vector(), Features.HOST_BEHAVIOR_BYTES);
        if (wanted[0] != 0 && wanted[0] != 1) {
            return INVALID;
        }
        // What we do not know must read as not enabled.
        final byte[] kept = features.hostBehavior();
        Arrays.fill(kept, (byte) 0);
        kept[0] = wanted[0];
        return Status.SUCCESS;
    }

    private static int setQueues(final Controller controller, final Request request, final int value) {
        final int submission = value & 0xFFFF;
        final int completion = value >>> 16;
        if (submission == 0xFFFF || completion == 0xFFFF) {
            return INVALID;
        }
        if (controller.ioQueueCount() > 0) {
            return Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY;
        }
        controller.features().grantQueues(Math.min(submission, completion) + 1);
        request.result = queues(controller.features());
        return Status.SUCCESS;
    }

    private static int getTemperature(final Features features, final Request request) {
        final int selector = Sqe.dword(request.sqe(), 11) >>> 16;
        if ((selector & 0xF) != 0) {
            return INVALID;
        }
        switch (selector >>> 4 & 3) {
            case 0 -> request.result = features.value(Features.TEMPERATURE_THRESHOLD);
            case UNDER_TEMPERATURE -> request.result = features.underTemperature();
            default -> {
                return INVALID;
            }
        }
        return Status.SUCCESS;
    }

    private static int setTemperature(final Features features, final int value) {
        final int sensor = value >>> 16 & 0xF;
        if (sensor != 0 && sensor != ALL_SENSORS) {
            return INVALID;
        }
        switch (value >>> 20 & 3) {
            case 0 -> features.value(Features.TEMPERATURE_THRESHOLD, value & 0xFFFF);
            case UNDER_TEMPERATURE -> features.underTemperature(value & 0xFFFF);
            default -> {
                return INVALID;
            }
        }
        return Status.SUCCESS;
    }

    private static boolean exists(final Controller controller, final int feature) {
        return switch (feature) {
            case Features.ASYNC_EVENTS, Features.KEEP_ALIVE -> true;
            case Features.VOLATILE_WRITE_CACHE ->
                !controller.isDiscovery()
                        && (controller.cachePromise().isPresent()
                                || controller.subsystem().hasVolatileCache());
            case Features.ARBITRATION,
                    Features.POWER_MANAGEMENT,
                    Features.TEMPERATURE_THRESHOLD,
                    Features.ERROR_RECOVERY,
                    Features.NUMBER_OF_QUEUES,
                    Features.INTERRUPT_COALESCING,
                    Features.INTERRUPT_VECTOR,
                    Features.WRITE_ATOMICITY,
                    Features.HOST_BEHAVIOR,
                    Features.HOST_IDENTIFIER -> !controller.isDiscovery();
            default -> false;
        };
    }

    private static boolean isChangeable(final int feature) {
        return feature != Features.INTERRUPT_COALESCING
                && feature != Features.INTERRUPT_VECTOR
                && feature != Features.HOST_IDENTIFIER;
    }

    private static long queues(final Features features) {
        final long highest = features.grantedQueues() - 1L;
        return highest | highest << 16;
    }

    private static int feature(final Request request) {
        return Sqe.dword(request.sqe(), 10) & 0xFF;
    }

    private static int select(final Request request) {
        return Sqe.dword(request.sqe(), 10) >>> 8 & 7;
    }
}
