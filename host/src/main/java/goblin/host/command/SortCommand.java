// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;
import goblin.host.value.HashValue;
import goblin.host.value.ListValue;
import goblin.host.value.SetValue;
import goblin.host.value.SkipList;
import goblin.host.value.SortedSetValue;
import goblin.resp.Real;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** {@code SORT} and {@code SORT_RO}. */
final class SortCommand {
    private static final byte[] EMPTY = {};

    private final Call call;
    private final List<byte[]> wanted = new ArrayList<>();
    private byte[] by;
    private boolean descending;
    private boolean alphabetic;
    private long offset;
    private long limit = -1;
    private int target;

    private SortCommand(Call call) {
        this.call = call;
    }

    static void register(CommandTable table) {
        table.add("SORT", -2, Refusal.answered(c -> run(c, false)), Flag.WRITE, Flag.DENYOOM, Flag.MOVABLE_KEYS)
                .keys(1, 1, 1)
                .keys(SortCommand::findKeys)
                .group("generic", "1.0.0");
        table.add("SORT_RO", -2, Refusal.answered(c -> run(c, true)), Flag.READONLY, Flag.MOVABLE_KEYS)
                .keys(1, 1, 1)
                .group("generic", "7.0.0");
    }

    private static void findKeys(Arguments args, KeysFinder.Found found) {
        found.key(1);
        int target = 0;
        for (int i = 2; i < args.count(); i++) {
            if (args.is(i, "LIMIT")) {
                i += 2;
            } else if (args.is(i, "GET") || args.is(i, "BY")) {
                i++;
            } else if (args.is(i, "STORE") && i + 1 < args.count()) {
                target = ++i;
            }
        }
        if (target > 0) {
            found.key(target);
        }
    }

    /** An element with what it is ordered by: a score, or bytes that may be missing. */
    private static final class Item {
        private final byte[] element;
        private final double score;
        private final byte[] text;

        Item(byte[] element, double score, byte[] text) {
            this.element = element;
            this.score = score;
            this.text = text;
        }
    }

    private static void run(Call call, boolean readOnly) {
        SortCommand sort = new SortCommand(call);
        sort.parse(readOnly);
        sort.execute();
    }

    private void parse(boolean readOnly) {
        for (int i = 2; i < call.count(); i++) {
            int rest = call.count() - i - 1;
            if (call.is(i, "ASC")) {
                descending = false;
            } else if (call.is(i, "DESC")) {
                descending = true;
            } else if (call.is(i, "ALPHA")) {
                alphabetic = true;
            } else if (call.is(i, "LIMIT") && rest >= 2) {
                offset = CollectionKeys.integer(call, i + 1);
                limit = CollectionKeys.integer(call, i + 2);
                i += 2;
            } else if (call.is(i, "STORE") && rest >= 1 && !readOnly) {
                target = ++i;
            } else if (call.is(i, "BY") && rest >= 1) {
                by = call.bytes(++i);
            } else if (call.is(i, "GET") && rest >= 1) {
                wanted.add(call.bytes(++i));
            } else {
                throw Refusal.syntax();
            }
        }
    }

    private boolean isUnsorted() {
        return by != null && indexOf(by, '*', 0) < 0;
    }

    private void execute() {
        Entry entry = target > 0 ? call.write(1) : call.read(1);
        List<byte[]> elements = elements(entry);
        if (isUnsorted() && entry != null && entry.value() instanceof SetValue && (target > 0 || call.fromScript())) {
            // A set has no order of its own: what is stored or seen by a script must not depend on chance.
            by = null;
            alphabetic = true;
        }
        if (!isUnsorted()) {
            elements = sorted(elements);
        } else if (entry != null && entry.value().type() == ValueType.SORTED_SET && descending) {
            elements = elements.reversed();
        }
        int from = Math.clamp(offset, 0, elements.size());
        int to = limit < 0 ? elements.size() : (int) Math.min(elements.size(), from + Math.min(limit, elements.size()));
        List<byte[]> chosen = elements.subList(from, Math.max(from, to));
        if (target > 0) {
            store(chosen);
        } else {
            answer(chosen);
        }
    }

    private static List<byte[]> elements(Entry entry) {
        List<byte[]> elements = new ArrayList<>();
        if (entry == null) {
            return elements;
        }
        switch (entry.value()) {
            case ListValue list -> {
                for (int i = 0; i < list.size(); i++) {
                    elements.add(list.get(i));
                }
            }
            case SetValue set -> {
                for (int i = 0; i < set.size(); i++) {
                    elements.add(set.member(i));
                }
            }
            case SortedSetValue set -> {
                for (SkipList.Node node = set.order().first(); node != null; node = node.next()) {
                    elements.add(node.member());
                }
            }
            default -> throw Refusal.wrongType();
        }
        return elements;
    }

    private List<byte[]> sorted(List<byte[]> elements) {
        Item[] items = new Item[elements.size()];
        for (int i = 0; i < items.length; i++) {
            byte[] element = elements.get(i);
            byte[] weight = by == null ? element : lookUp(by, element);
            items[i] = new Item(element, alphabetic || weight == null ? 0 : score(weight), weight);
        }
        Arrays.sort(items, order());
        List<byte[]> sorted = new ArrayList<>(items.length);
        for (Item item : items) {
            sorted.add(item.element);
        }
        return sorted;
    }

    private static double score(byte[] text) {
        double score = text.length == 0 ? 0 : Real.parse(new String(text, ISO_8859_1));
        if (Double.isNaN(score)) {
            throw new Refusal("ERR One or more scores can't be converted into double");
        }
        return score;
    }

    private Comparator<Item> order() {
        Comparator<Item> ascending = alphabetic
                ? (left, right) -> compareText(left.text, right.text)
                : (left, right) -> {
                    int byScore = left.score < right.score ? -1 : left.score > right.score ? 1 : 0;
                    // Equal scores fall back to the elements, so that the order does not depend on chance.
                    return byScore != 0 ? byScore : Arrays.compareUnsigned(left.element, right.element);
                };
        return descending ? ascending.reversed() : ascending;
    }

    private static int compareText(byte[] left, byte[] right) {
        if (left == null || right == null) {
            return left == right ? 0 : left == null ? -1 : 1;
        }
        return Arrays.compareUnsigned(left, right);
    }

    private byte[] result(byte[] pattern, byte[] element) {
        return pattern.length == 1 && pattern[0] == '#' ? element : lookUp(pattern, element);
    }

    /** The value a pattern leads to: a string key, or a field of a hash ({@code key*->field}); null when missing. */
    private byte[] lookUp(byte[] pattern, byte[] element) {
        int star = indexOf(pattern, '*', 0);
        if (star < 0) {
            return null;
        }
        int arrow = arrow(pattern, star);
        int keyEnd = arrow < 0 ? pattern.length : arrow;
        byte[] key = new byte[keyEnd - 1 + element.length];
        System.arraycopy(pattern, 0, key, 0, star);
        System.arraycopy(element, 0, key, star, element.length);
        System.arraycopy(pattern, star + 1, key, star + element.length, keyEnd - star - 1);
        Entry entry = call.keyspace().peek(key);
        if (entry == null) {
            return null;
        }
        Value value = entry.value();
        if (arrow < 0) {
            return value instanceof StringValue string ? string.toBytes() : null;
        }
        if (!(value instanceof HashValue hash)) {
            return null;
        }
        int position = hash.find(Arrays.copyOfRange(pattern, arrow + 2, pattern.length));
        return position < 0 ? null : hash.value(position);
    }

    /** Where {@code ->} with something behind it follows the star, or -1. */
    private static int arrow(byte[] pattern, int star) {
        for (int i = star + 1; i + 2 < pattern.length; i++) {
            if (pattern[i] == '-' && pattern[i + 1] == '>') {
                return i;
            }
        }
        return -1;
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private void answer(List<byte[]> chosen) {
        call.reply().array((long) chosen.size() * Math.max(1, wanted.size()));
        for (byte[] element : chosen) {
            if (wanted.isEmpty()) {
                CollectionKeys.bulk(call, element);
            }
            for (byte[] pattern : wanted) {
                byte[] result = result(pattern, element);
                if (result == null) {
                    call.reply().nullBulk();
                } else {
                    CollectionKeys.bulk(call, result);
                }
            }
        }
    }

    private void store(List<byte[]> chosen) {
        ListValue list = new ListValue(call.server().settings().encodingLimits());
        for (byte[] element : chosen) {
            if (wanted.isEmpty()) {
                list.addLast(element);
            }
            for (byte[] pattern : wanted) {
                byte[] result = result(pattern, element);
                list.addLast(result == null ? EMPTY : result);
            }
        }
        list.noteEncoding();
        boolean isEmpty = list.size() == 0;
        CollectionKeys.store(call, target, isEmpty ? null : list, EventClass.LIST, "sortstore");
        call.keyspace().addChanges(isEmpty ? 0 : list.size() - 1L);
        call.reply().integer(list.size());
    }
}
