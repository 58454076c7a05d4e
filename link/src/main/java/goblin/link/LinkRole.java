// SPDX-License-Identifier: Apache-2.0
package goblin.link;

/** What one link of an edge is for; an edge has one of each. */
public enum LinkRole {
    /** Carries interests and fences up; acknowledgements, deliveries and answered fences down. */
    AGGREGATE,
    /** Carries the edge's publications up and their receiver counts down. */
    PUBLISHER
}
