// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.ValueType;
import goblin.host.value.ByteTable;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * For each key the clients that wait for it, oldest first. A key that appears is remembered; when the command,
 * transaction or script that made it is over, the waiting commands run again one by one as long as the key is there.
 */
final class KeyQueues implements KeyWaiters {
    private final Server server;
    private final ByteTable<Queue> queues = new ByteTable<>(true);
    private List<Queue> ready = new ArrayList<>();

    KeyQueues(Server server) {
        this.server = server;
    }

    /** The waiters of one key: a doubly linked ring around this object's own link. */
    private static final class Queue {
        private final byte[] key;
        private final Link end = new Link(this, null);
        private boolean isReady;

        Queue(byte[] key) {
            this.key = key;
        }
    }

    /** A waiter's place in one queue. */
    private static final class Link {
        private final Queue queue;
        private final Waiter waiter;
        private Link before = this;
        private Link after = this;

        Link(Queue queue, Waiter waiter) {
            this.queue = queue;
            this.waiter = waiter;
        }

        boolean isLinked() {
            return after != this;
        }
    }

    /** One client in all its queues. */
    private final class Waiter implements Waiting {
        private final Client client;
        private final ValueType type;
        private final List<Link> links = new ArrayList<>(2);

        Waiter(Client client, ValueType type) {
            this.client = client;
            this.type = type;
        }

        @Override
        public void unlink(Client whose) {
            for (Link link : links) {
                link.before.after = link.after;
                link.after.before = link.before;
                link.before = link;
                link.after = link;
                Queue queue = link.queue;
                if (!queue.end.isLinked()) {
                    queues.removeAt(queues.find(queue.key));
                }
            }
            links.clear();
        }

        @Override
        public void answerTimeout(ReplyWriter reply) {
            reply.nullArray();
        }
    }

    /**
     * Makes a client wait for any of some keys, or answers null at once where waiting is not allowed.
     *
     * @param type the type that wakes the client
     * @param firstKey place of the first key
     * @param keys how many, side by side
     * @param deadlineMs milliseconds since 1970, 0 for ever
     * @param isArray whether that null is an array's; the null at the timeout always is
     */
    void await(Call call, ValueType type, int firstKey, int keys, long deadlineMs, boolean isArray) {
        if (!call.mayBlock()) {
            if (isArray) {
                call.reply().nullArray();
            } else {
                call.reply().nullBulk();
            }
            return;
        }
        Waiter waiter = new Waiter(call.client(), type);
        if (!server.blocked().block(call, waiter, deadlineMs)) {
            return;
        }
        for (int i = firstKey; i < firstKey + keys; i++) {
            Queue queue = queue(call, i);
            if (queue.end.before.waiter != waiter) {
                Link link = new Link(queue, waiter);
                link.before = queue.end.before;
                link.after = queue.end;
                link.before.after = link;
                link.after.before = link;
                waiter.links.add(link);
            }
        }
    }

    private Queue queue(Call call, int key) {
        int position = queues.find(call.address(key), call.length(key));
        if (position >= 0) {
            return queues.value(position);
        }
        Queue queue = new Queue(call.bytes(key));
        queues.append(queue.key, queue);
        return queue;
    }

    @Override
    public void onAdded(Entry entry) {
        if (queues.size() == 0) {
            return;
        }
        int position = queues.find(entry.key());
        if (position >= 0) {
            markReady(queues.value(position));
        }
    }

    private void markReady(Queue queue) {
        if (!queue.isReady) {
            queue.isReady = true;
            ready.add(queue);
        }
    }

    @Override
    public boolean hasReady() {
        return !ready.isEmpty();
    }

    @Override
    public void serve() {
        while (!ready.isEmpty()) {
            List<Queue> batch = ready;
            ready = new ArrayList<>();
            for (Queue queue : batch) {
                queue.isReady = false;
                serve(queue);
            }
        }
    }

    private void serve(Queue queue) {
        Link link = queue.end.after;
        while (link != queue.end) {
            Entry entry = server.keyspace().peek(queue.key);
            if (entry == null) {
                return;
            }
            Link next = link.after;
            if (entry.value().type() == link.waiter.type) {
                server.blocked().reexecute(link.waiter.client);
                if (next != queue.end && !next.isLinked()) {
                    // The served command ended another wait: what follows is looked at afresh.
                    markReady(queue);
                    return;
                }
            }
            link = next;
        }
    }
}
