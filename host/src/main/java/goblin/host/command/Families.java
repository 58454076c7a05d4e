// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** Every family of commands there is; a new family adds its line here. */
final class Families {
    private Families() {}

    static void register(final Server server) {
        final CommandTable table = server.table();
        ConnectionCommands.register(table);
        LoginCommands.register(table);
        ClientCommands.register(table);
        StringCommands.register(table);
        NumberCommands.register(table);
        BitCommands.register(table);
        ListCommands.register(table);
        BlockingCommands.register(table, server);
        HashCommands.register(table);
        SetCommands.register(table);
        SortedSetCommands.register(table);
        KeyCommands.register(table);
        SortCommand.register(table);
        ExpireCommands.register(table);
        TransactionCommands.register(table);
        PubSubCommands.register(table);
        ServerCommands.register(table);
        SlowLog.register(table);
        ConfigCommands.register(table);
        CommandCommands.register(table);
        DebugCommands.register(table);
        ScriptCommands.register(table, server.scripting());
    }
}
