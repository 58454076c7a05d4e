// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.epoll.EpollTransport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that call themselves as deep as they can, on a loop's thread: an overflow there would end the process. */
@Timeout(60)
final class ScriptStackTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "local f f = function(s) return (string.gsub(s, '.', f)) end return f('x')",
                "local f f = function(s) return select(2, pcall(string.gsub, s, '.', f)) end return f('x')",
                "local f f = function(s) return string.gsub(s, ('(.?)'):rep(30) .. '.', f) end return f(('x'):rep(40))",
                "local f f = function() table.sort({2, 1}, f) end f()",
                "local f f = function() coroutine.wrap(f)() end f()",
            })
    void shouldOutliveTheDeepestCallsThatLuaAllows(final String script) throws Exception {
        final CompletableFuture<String> reply = new CompletableFuture<>();
        try (EventLoop loop = new EventLoop("scripts", new EpollTransport(), IdlePolicy.BACKOFF)) {
            loop.start();
            loop.execute(() -> {
                try (ScriptRig rig = new ScriptRig()) {
                    rig.eval(script);
                    reply.complete(rig.eval("return 1"));
                }
            });
            assertThat(reply.get(50, TimeUnit.SECONDS)).isEqualTo(":1\r\n");
        }
    }
}
