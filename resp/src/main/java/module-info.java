// SPDX-License-Identifier: Apache-2.0

/** RESP2 and RESP3: commands and replies read from lent segments, frames written to native memory. */
module goblin.resp {
    requires transitive goblin.net;

    exports goblin.resp;
}
