// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

/** What a loop's exchange counts. */
public enum ExchangeCounter {
    /** Publications handed to other loops, each once whatever the number of loops. */
    PUBLICATIONS_HANDED_OVER,
    /** Publications received from other loops. */
    PUBLICATIONS_TAKEN_OVER,
    /** Publications of this loop that all others have answered, and the host where it was to. */
    PUBLICATIONS_ANSWERED,
    /** Times this loop had to wait for another one that was just handing over an earlier publication. */
    WAITS_FOR_TICKET,
    /** Messages that found their ring full, or others before them that had. */
    MESSAGES_SPILLED,
    /** Sleeping loops woken by this one. */
    LOOPS_WOKEN
}
