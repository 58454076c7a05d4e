// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import java.net.InetAddress;
import java.util.UUID;

/**
 * Which subsystem to connect to, and how. Immutable; the {@code with} methods give a changed copy.
 *
 * @param address      the target's
 * @param port         the target's, 1 to 65535
 * @param subsystem    its NQN, at most 223 bytes
 * @param hostNqn      ours, at most 223 bytes
 * @param hostId       ours
 * @param queues       I/O queues, 0 or more
 * @param depth        commands of an I/O queue, 1 to 65535
 * @param headerDigest whether PDUs carry header digests
 * @param dataDigest   whether PDUs carry data digests
 * @param flowControl  whether SQ flow control stays on; off allows completions folded into data
 * @param maxR2t       R2Ts of one command that may be outstanding, 1 or more
 * @param keepAliveMs  Keep Alive Timeout, 0 for none
 */
public record InitiatorOptions(
        InetAddress address,
        int port,
        String subsystem,
        String hostNqn,
        UUID hostId,
        int queues,
        int depth,
        boolean headerDigest,
        boolean dataDigest,
        boolean flowControl,
        int maxR2t,
        int keepAliveMs) {

    /**
     * The usual: one I/O queue of 32 commands, no digests, SQ flow control off, no Keep Alive, one R2T, a host identity made
     * for this object.
     *
     * @param address   the target's
     * @param port      the target's
     * @param subsystem its NQN
     * @return options
     */
    public static InitiatorOptions of(final InetAddress address, final int port, final String subsystem) {
        final UUID host = UUID.randomUUID();
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                "nqn.2014-08.org.nvmexpress:uuid:" + host,
                host,
                1,
                32,
                false,
                false,
                false,
                1,
                0);
    }

    /**
     * With other I/O queues.
     *
     * @param count    how many
     * @param commands of each
     * @return a copy
     */
    public InitiatorOptions withQueues(final int count, final int commands) {
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                hostNqn,
                hostId,
                count,
                commands,
                headerDigest,
                dataDigest,
                flowControl,
                maxR2t,
                keepAliveMs);
    }

    /**
     * With other digests.
     *
     * @param ofHeaders whether PDUs carry header digests
     * @param ofData    whether PDUs carry data digests
     * @return a copy
     */
    public InitiatorOptions withDigests(final boolean ofHeaders, final boolean ofData) {
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                hostNqn,
                hostId,
                queues,
                depth,
                ofHeaders,
                ofData,
                flowControl,
                maxR2t,
                keepAliveMs);
    }

    /**
     * With another host NQN.
     *
     * @param nqn ours
     * @return a copy
     */
    public InitiatorOptions withHost(final String nqn) {
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                nqn,
                hostId,
                queues,
                depth,
                headerDigest,
                dataDigest,
                flowControl,
                maxR2t,
                keepAliveMs);
    }

    /**
     * With another Keep Alive Timeout.
     *
     * @param milliseconds 0 for none
     * @return a copy
     */
    public InitiatorOptions withKeepAlive(final int milliseconds) {
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                hostNqn,
                hostId,
                queues,
                depth,
                headerDigest,
                dataDigest,
                flowControl,
                maxR2t,
                milliseconds);
    }

    /**
     * With SQ flow control, or with more R2Ts.
     *
     * @param on      whether SQ flow control stays on
     * @param allowed R2Ts of one command that may be outstanding, 1 or more
     * @return a copy
     */
    public InitiatorOptions withFlowControl(final boolean on, final int allowed) {
        return new InitiatorOptions(
                address,
                port,
                subsystem,
                hostNqn,
                hostId,
                queues,
                depth,
                headerDigest,
                dataDigest,
                on,
                allowed,
                keepAliveMs);
    }
}
