// SPDX-License-Identifier: Apache-2.0

/** Who is subscribed to what, how often it counts, and which names a pattern matches. */
package goblin.pubsub;
