package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Loop;
import io.knabla.functions.chat.value.Namespace;
import io.knabla.functions.chat.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Takes items and slices of strings, lists and mappings. Indices of texts count characters, not UTF-16 units. */
final class Sequences {
    private final Budget budget;

    Sequences(Budget budget) {
        this.budget = budget;
    }

    /** The items of a list, the keys of a mapping, the characters of a text. */
    List<Value> items(Value value) {
        return switch (value) {
            case Value.Items(List<Value> items, var _) -> items;
            case Value.Dict(var entries) -> List.copyOf(entries.keySet());
            case Value.Text(String text) -> characters(text);
            case Value.Undefined _ -> List.of();
            default -> throw RefusedException.of("%s has no items", value.type());
        };
    }

    private List<Value> characters(String text) {
        budget.chargeValues(text.length());
        List<Value> all = new ArrayList<>(text.length());
        text.codePoints().forEach(c -> all.add(new Value.Text(Character.toString(c))));
        return all;
    }

    long length(Value value) {
        return switch (value) {
            case Value.Items(List<Value> items, var _) -> items.size();
            case Value.Dict(var entries) -> entries.size();
            case Value.Text(String text) -> {
                budget.charge(text.length());
                yield text.codePointCount(0, text.length());
            }
            case Value.Undefined _ -> 0;
            default -> throw RefusedException.of("%s has no length", value.type());
        };
    }

    Value attribute(Value target, String name) {
        Value found = switch (target) {
            case Value.Undefined(String missing) ->
                throw RefusedException.of("'%s' is undefined, so it has no '%s'", missing, name);
            case Value.Dict(var entries) -> entries.get(new Value.Text(name));
            case Namespace space -> space.get(name);
            case Loop loop -> loop.get(name);
            default -> null;
        };
        return found == null ? new Value.Undefined(name) : found;
    }

    Value subscript(Value target, Value index) {
        return switch (index) {
            case Value.Text(String name) when !(target instanceof Value.Dict) -> attribute(target, name);
            case Value.Int(long at) when !(target instanceof Value.Dict) -> item(target, at);
            case Value.Bool(boolean at) when !(target instanceof Value.Dict) -> item(target, at ? 1 : 0);
            default -> entry(target, index);
        };
    }

    private static Value entry(Value target, Value key) {
        if (target instanceof Value.Undefined(String missing)) {
            throw RefusedException.of("'%s' is undefined, so it has no items", missing);
        }
        Value found = target instanceof Value.Dict(var entries) ? entries.get(key) : null;
        return found == null ? new Value.Undefined("the item") : found;
    }

    private Value item(Value target, long index) {
        long length = target instanceof Value.Text || target instanceof Value.Items ? length(target) : 0;
        long at = index < 0 ? index + length : index;
        if (at < 0 || at >= length) {
            return entry(target, new Value.Int(index));
        }
        if (target instanceof Value.Items(List<Value> items, var _)) {
            return items.get((int) at);
        }
        String text = ((Value.Text) target).text();
        return new Value.Text(Character.toString(text.codePointAt(text.offsetByCodePoints(0, (int) at))));
    }

    /** Python's slice. */
    Value slice(Value target, OptionalLong from, OptionalLong to, long step) {
        if (step == 0) {
            throw RefusedException.of("a slice has step 0");
        }
        boolean sliced = target instanceof Value.Text || target instanceof Value.Items;
        if (!sliced) {
            throw RefusedException.of("%s cannot be sliced", target.type());
        }
        long length = length(target);
        long begin = bound(from, step > 0 ? 0 : length - 1, length, step);
        long end = bound(to, step > 0 ? length : -1, length, step);
        long count = Math.max(0, step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step);
        budget.chargeItems(count);
        return target instanceof Value.Items(List<Value> items, boolean tuple)
                ? new Value.Items(items(items, begin, count, step), tuple)
                : new Value.Text(text(((Value.Text) target).text(), begin, count, step));
    }

    private static long bound(OptionalLong given, long usual, long length, long step) {
        if (given.isEmpty()) {
            return usual;
        }
        long at = given.getAsLong();
        long least = step > 0 ? 0 : -1;
        long most = step > 0 ? length : length - 1;
        return at < 0 ? Math.max(least, at + length) : Math.min(most, at);
    }

    private static List<Value> items(List<Value> all, long begin, long count, long step) {
        List<Value> some = new ArrayList<>((int) count);
        for (long i = 0; i < count; i++) {
            some.add(all.get((int) (begin + i * step)));
        }
        return some;
    }

    private static String text(String text, long begin, long count, long step) {
        if (step == 1) {
            int from = text.offsetByCodePoints(0, (int) Math.min(begin, text.codePointCount(0, text.length())));
            return text.substring(from, text.offsetByCodePoints(from, (int) count));
        }
        int[] all = text.codePoints().toArray();
        var some = new StringBuilder();
        for (long i = 0; i < count; i++) {
            some.appendCodePoint(all[(int) (begin + i * step)]);
        }
        return some.toString();
    }
}
