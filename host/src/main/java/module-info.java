// SPDX-License-Identifier: Apache-2.0

/** The authoritative server: keyspace, commands, transactions, scripts and the edges beside it. */
module goblin.host {
    requires goblin.auth;
    requires goblin.link;
    requires info.picocli;
    requires org.agrona;
    requires party.iroiro.luajava;
    requires party.iroiro.luajava.lua51;

    opens goblin.host to
            info.picocli;
}
