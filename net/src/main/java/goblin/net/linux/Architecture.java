// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** The processor architectures whose native layouts are known. */
public enum Architecture {
    /** 64-bit x86, where {@code struct epoll_event} is packed. */
    X86_64,
    /** 64-bit Arm, where every structure has its natural alignment. */
    AARCH64;

    /**
     * Returns the architecture this process runs on.
     *
     * @return the architecture, never {@code null}
     * @throws IllegalStateException if no layouts are known for it
     */
    public static Architecture current() {
        final String name = System.getProperty("os.arch");
        return switch (name) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> throw new IllegalStateException("no native layouts for os.arch " + name);
        };
    }
}
