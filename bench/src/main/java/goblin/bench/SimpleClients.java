// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;

/** Clients that are closed together. */
final class SimpleClients implements AutoCloseable {
    private final List<SimpleClient> clients = new ArrayList<>();

    SimpleClient open(final int port) throws Failure {
        final SimpleClient client = new SimpleClient(port);
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(SimpleClient::close);
    }
}
