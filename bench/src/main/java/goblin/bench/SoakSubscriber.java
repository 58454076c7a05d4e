// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.bench.SoakNames.Kind;
import goblin.bench.SoakNames.Name;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Subscribes and unsubscribes at random, also before the confirmation of the last change, over RESP2 or RESP3. */
final class SoakSubscriber extends SoakConnection {
    private final InvariantChecker checker;
    private final int mostOutstanding;
    private final Map<String, NameState> states = new LinkedHashMap<>();
    private final Map<Kind, Set<String>> wanted = new EnumMap<>(Kind.class);

    /** One name: whether it is wanted, and what the server has confirmed. */
    private static final class NameState {
        private final Name name;
        private final Queue<Boolean> asked = new ArrayDeque<>();
        private Subscription current;

        private NameState(final Name name) {
            this.name = name;
        }
    }

    SoakSubscriber(
            final LoadLoop loop,
            final InvariantChecker checker,
            final String side,
            final int number,
            final int port,
            final boolean resp3,
            final int mostOutstanding)
            throws Failure {
        super(loop, "subscriber " + number + " at the " + side + (resp3 ? " (RESP3)" : " (RESP2)"), port);
        this.checker = checker;
        this.mostOutstanding = mostOutstanding;
        for (final Kind kind : Kind.values()) {
            wanted.put(kind, new TreeSet<>());
        }
        if (resp3) {
            send(RespBytes.command("HELLO", "3"), reply -> {
                if (!(reply instanceof List<?>)) {
                    throw wrong(reply, "the map of HELLO");
                }
            });
        }
    }

    @Override
    void act(final RandomGenerator random) throws Failure {
        if (outstanding() < mostOutstanding) {
            toggle(SoakNames.all().get(random.nextInt(SoakNames.all().size())));
        }
    }

    /** Ends every subscription, each with its confirmation. */
    void leaveAll() throws Failure {
        for (final Name name : SoakNames.all()) {
            if (wanted.get(name.kind()).contains(name.text())) {
                toggle(name);
            }
        }
    }

    private void toggle(final Name name) throws Failure {
        final NameState state = states.computeIfAbsent(name.kind() + name.text(), missing -> new NameState(name));
        final Set<String> names = wanted.get(name.kind());
        final boolean begin = names.add(name.text());
        if (!begin) {
            names.remove(name.text());
            if (state.current != null && !state.current.ending()) {
                checker.ending(state.current);
            }
        }
        state.asked.add(begin);
        final String verb = begin ? name.kind().begin() : name.kind().end();
        final long count = name.kind() == Kind.SHARD
                ? names.size()
                : wanted.get(Kind.CHANNEL).size() + wanted.get(Kind.PATTERN).size();
        send(RespBytes.command(verb, name.text()), reply -> confirmed(state, begin, verb, count, reply));
    }

    private void confirmed(
            final NameState state, final boolean begin, final String verb, final long count, final Object reply)
            throws Failure {
        final List<Object> elements = reply instanceof RespParser.Push push ? push.elements() : list(reply);
        if (elements.size() != 3
                || !is(elements.get(0), verb.toLowerCase(java.util.Locale.ROOT))
                || !is(elements.get(1), state.name.text())
                || !elements.get(2).equals(count)) {
            throw wrong(reply, verb + " " + state.name.text() + " " + count);
        }
        state.asked.remove();
        if (begin) {
            state.current = checker.subscribed(name() + ", " + state.name.text(), state.name.channels());
            if (!state.asked.isEmpty()) {
                checker.ending(state.current);
            }
        } else {
            checker.ended(state.current);
            state.current = null;
        }
    }

    @Override
    boolean push(final Object value) throws Failure {
        final List<Object> elements = value instanceof RespParser.Push push ? push.elements() : list(value);
        if (elements.isEmpty()) {
            return false;
        }
        for (final Kind kind : Kind.values()) {
            if (is(elements.get(0), kind.message())) {
                final int offset = kind == Kind.PATTERN ? 1 : 0;
                message(kind, elements, (byte[]) elements.get(1), (byte[]) elements.get(1 + offset));
                return true;
            }
        }
        return false;
    }

    private void message(final Kind kind, final List<Object> elements, final byte[] name, final byte[] channel)
            throws Failure {
        final SoakPayload payload = SoakPayload.decode((byte[]) elements.get(elements.size() - 1));
        if (!is(channel, SoakNames.channel(payload.channel()))) {
            throw wrong(elements, "a message in channel " + SoakNames.channel(payload.channel()));
        }
        final NameState state = states.get(kind + new String(name, java.nio.charset.StandardCharsets.ISO_8859_1));
        if (state == null || state.current == null) {
            throw wrong(elements, "nothing: it is not subscribed");
        }
        checker.delivered(state.current, payload.publisher(), payload.channel(), payload.sequence());
    }

    /** To be called before it vanishes: nothing is certain from now on. */
    void abandon() {
        for (final NameState state : states.values()) {
            if (state.current != null && !state.current.ending()) {
                checker.ending(state.current);
            }
        }
    }

    @Override
    boolean answeredAfterLeaving() {
        return false;
    }

    @Override
    void over() {}

    @SuppressWarnings("unchecked")
    private static List<Object> list(final Object value) {
        return value instanceof List<?> list ? (List<Object>) list : List.of();
    }

    private static boolean is(final Object value, final String text) {
        return value instanceof byte[] bytes && Arrays.equals(bytes, RespBytes.ascii(text));
    }
}
