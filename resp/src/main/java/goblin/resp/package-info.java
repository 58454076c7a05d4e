// SPDX-License-Identifier: Apache-2.0

/** Decoders and encoders for RESP2 and RESP3 that work on native addresses and never rescan. */
package goblin.resp;
