// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * Makes the handles of C functions. Pointers and {@code size_t} are {@code long}, so that calls need no objects. A
 * capturing handle takes the capture segment of {@link ErrnoState} first.
 */
@SuppressWarnings("restricted")
final class Native {
    private static final Linker LINKER = Linker.nativeLinker();

    private Native() {}

    /** A function that must exist and whose errno is kept; {@code type} is its C type without the capture segment. */
    static MethodHandle capturing(final String name, final Class<?> result, final Class<?>... arguments) {
        return optional(name, result, arguments)
                .orElseThrow(() -> new IllegalStateException("the C library has no " + name));
    }

    /** As {@link #capturing}, empty when the C library is too old for it. */
    static Optional<MethodHandle> optional(final String name, final Class<?> result, final Class<?>... arguments) {
        final FunctionDescriptor descriptor = descriptor(MethodType.methodType(result, arguments));
        return LINKER.defaultLookup()
                .find(name)
                .map(address -> LINKER.downcallHandle(address, descriptor, Linker.Option.captureCallState("errno")));
    }

    /** A function that must exist and whose errno is of no interest. */
    static MethodHandle plain(final String name, final Class<?> result, final Class<?>... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), descriptor(MethodType.methodType(result, arguments)));
    }

    /** What a handle threw can only be a defect of ours: no C function throws. */
    static IllegalStateException broken(final Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call could not be made", thrown);
    }

    private static FunctionDescriptor descriptor(final MethodType type) {
        final MemoryLayout[] arguments =
                type.parameterList().stream().map(Native::layout).toArray(MemoryLayout[]::new);
        return FunctionDescriptor.of(layout(type.returnType()), arguments);
    }

    private static MemoryLayout layout(final Class<?> type) {
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        throw new IllegalArgumentException("no layout for " + type);
    }
}
