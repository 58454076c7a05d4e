// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** How an operation on a medium ended. */
public enum BlockOutcome {
    /** Done as asked. */
    DONE,
    /** A compare found a difference; nothing was written. */
    MISCOMPARE,
    /** The medium could not be written. */
    WRITE_FAILED,
    /** The medium could not be read. */
    READ_FAILED,
    /** A sync failed, now or earlier: what was not durable may be lost until the namespace is opened again. */
    SYNC_FAILED,
    /** The medium has no room for what was written. */
    NO_SPACE,
    /** The namespace takes no writes. */
    READ_ONLY,
    /** The operation reaches past the end: the namespace shrank after it was checked. */
    OUT_OF_RANGE,
    /** The namespace was removed before the operation started. */
    REMOVED,
    /** The submitter's {@link BlockOperation#mayStart} said no: nothing was touched. */
    FENCED,
    /** Something else went wrong, and was reported. */
    FAILED
}
