// SPDX-License-Identifier: Apache-2.0

/** The authoritative server: keyspace, commands, transactions, scripts and the edges beside it. */
module goblin.host {
    requires goblin.auth;
    requires goblin.link;
    requires info.picocli;
    requires org.agrona;

    opens goblin.host to
            info.picocli;
}
