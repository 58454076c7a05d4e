// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** A socket call failed while setting up. The message is one line for people. */
public final class NetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Makes one.
     *
     * @param message one line that names what was tried and why it failed
     * @param errno   the kernel's error number, 0 when there is none
     */
    public NetException(final String message, final int errno) {
        super(message);
        this.errno = errno;
    }

    /**
     * The kernel's error number.
     *
     * @return 0 when there is none
     */
    public int errno() {
        return errno;
    }
}
