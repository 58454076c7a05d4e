// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.time.Instant;

/**
 * A Connect that was refused.
 *
 * @param time      when
 * @param host      the host's name as it said it; empty when there was none
 * @param subsystem the subsystem's name as the host said it; empty when there was none
 * @param peer      from where it came
 * @param reason    the kind
 * @param text      one sentence for people
 * @param count     how often this host was refused so far
 */
public record Refusal(
        Instant time, String host, String subsystem, String peer, RefusalReason reason, String text, long count) {}
