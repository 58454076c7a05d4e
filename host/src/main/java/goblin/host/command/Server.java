// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.Keyspace;
import goblin.host.keyspace.KeyspaceEvents;

/**
 * Everything the commands work on, wired together: keyspace, table, dispatcher, Pub/Sub, watches, blocked clients,
 * settings. One instance a process, used on the loop's thread only.
 */
public final class Server implements KeyspaceEvents {
    private final Clock clock;
    private final Settings settings;
    private final Keyspace keyspace;
    private final PubSub pubSub = new PubSub();
    private final Notifications notifications;
    private final Watches watches;
    private final Tracking tracking;
    private final BlockedClients blocked;
    private final CommandTable table = new CommandTable();
    private final Clients clients;
    private final Dispatcher dispatcher;
    private final Surroundings surroundings;
    private final Statistics statistics;
    private final SlowLog slowLog = new SlowLog();
    private final Scripting scripting = new Scripting(this);

    /**
     * Wires the state and registers every family.
     *
     * @param surroundings what is around the commands: the process, its listeners, authentication
     * @param clock        wall-clock time
     */
    public Server(final Surroundings surroundings, final Clock clock) {
        this.surroundings = surroundings;
        this.clock = clock;
        this.keyspace = new Keyspace(clock, this);
        this.notifications = new Notifications(this);
        this.settings = new Settings(this);
        this.watches = new Watches(keyspace);
        this.tracking = new Tracking(this);
        this.blocked = new BlockedClients(this);
        this.clients = new Clients();
        this.statistics = new Statistics(clock.getAsLong());
        this.dispatcher = new Dispatcher(this);
        Families.register(this);
    }

    @Override
    public void onModified(final byte[] key) {
        watches.onModified(key);
        tracking.onModified(key);
    }

    @Override
    public void onAdded(final Entry entry) {
        blocked.waiters().onAdded(entry);
        if (notifications.wants(EventClass.NEW)) {
            notifications.publish(EventClass.NEW, "new", entry.key());
        }
    }

    @Override
    public void onExpired(final byte[] key) {
        notifications.publish(EventClass.EXPIRED, "expired", key);
    }

    @Override
    public void onClearing() {
        watches.onClearing();
        tracking.onClearing();
    }

    /**
     * The keyspace.
     *
     * @return never null
     */
    public Keyspace keyspace() {
        return keyspace;
    }

    /**
     * The commands.
     *
     * @return never null
     */
    public CommandTable table() {
        return table;
    }

    /**
     * What runs commands.
     *
     * @return never null
     */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /**
     * Subscriptions and publication.
     *
     * @return never null
     */
    public PubSub pubSub() {
        return pubSub;
    }

    /**
     * Keyspace notifications.
     *
     * @return never null
     */
    public Notifications notifications() {
        return notifications;
    }

    /**
     * Clients that wait.
     *
     * @return never null
     */
    public BlockedClients blocked() {
        return blocked;
    }

    /**
     * All clients.
     *
     * @return never null
     */
    public Clients clients() {
        return clients;
    }

    /**
     * What {@code CONFIG} shows and sets.
     *
     * @return never null
     */
    public Settings settings() {
        return settings;
    }

    /**
     * Counters.
     *
     * @return never null
     */
    public Statistics statistics() {
        return statistics;
    }

    /**
     * What is around the commands.
     *
     * @return never null
     */
    public Surroundings surroundings() {
        return surroundings;
    }

    /**
     * What runs scripts.
     *
     * @return never null
     */
    public Scripting scripting() {
        return scripting;
    }

    SlowLog slowLog() {
        return slowLog;
    }

    Watches watches() {
        return watches;
    }

    Tracking tracking() {
        return tracking;
    }

    /**
     * The clock that commands see; stands still during a command.
     *
     * @return never null
     */
    public Clock clock() {
        return clock;
    }

    /**
     * The time of the running command.
     *
     * @return milliseconds since 1970
     */
    public long nowMs() {
        return clock.getAsLong();
    }

    /**
     * Memory that counts against {@code maxmemory}: keys, values and native buffers.
     *
     * @return an estimate in bytes
     */
    public long usedMemory() {
        return keyspace.usedBytes() + goblin.net.linux.Memory.allocatedBytes();
    }

    /**
     * A client has ended its side: nothing is published to it, kept for it or popped for it any more. Commands already
     * received may still run, and what they watch is watched on.
     *
     * @param client still in the list of clients
     */
    public void leave(final Client client) {
        blocked.leave(client);
        tracking.forget(client);
        pubSub.registry().removeAll(client);
    }

    /**
     * A client has gone: it leaves every registry.
     *
     * @param client forgotten afterwards
     */
    public void forget(final Client client) {
        leave(client);
        watches.unwatch(client);
        clients.remove(client);
    }
}
