// SPDX-License-Identifier: Apache-2.0

/** Users and their Argon2id hashes, for host and edge alike. */
module goblin.auth {
    requires info.picocli;
    requires org.bouncycastle.provider;

    exports goblin.auth;

    opens goblin.auth to
            info.picocli;
}
