// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;

/** Takes over connections that begin as links of edges. */
interface EdgeAcceptor {

    /**
     * A trusted connection has sent the link's preamble.
     *
     * @param connection open, its preamble consumed
     * @return its handler from now on
     */
    ConnectionHandler accept(Connection connection);

    /**
     * The lines of {@code INFO edges}, each ended by CR LF.
     *
     * @param into text so far
     */
    void appendInfo(StringBuilder into);
}
