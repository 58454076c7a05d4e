// SPDX-License-Identifier: Apache-2.0

/** The users file, Argon2id verification off the loop, and the program that makes its lines. */
package goblin.auth;
