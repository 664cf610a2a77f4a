package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Expression.Comparison.Operator;
import io.knabla.functions.chat.value.Value;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Compares values as Python does. */
final class Comparisons {
    private static final int DEEPEST = 100;

    private final Budget budget;

    Comparisons(Budget budget) {
        this.budget = budget;
    }

    boolean holds(Operator operator, Value left, Value right) {
        return switch (operator) {
            case EQUAL -> equal(left, right);
            case UNEQUAL -> !equal(left, right);
            case LESS -> order(left, right, 0) < 0;
            case AT_MOST -> order(left, right, 0) <= 0;
            case GREATER -> order(left, right, 0) > 0;
            case AT_LEAST -> order(left, right, 0) >= 0;
            case IN -> contains(right, left);
            case NOT_IN -> !contains(right, left);
        };
    }

    boolean equal(Value left, Value right) {
        return equal(left, right, 0);
    }

    private boolean equal(Value left, Value right, int depth) {
        budget.step();
        if (depth > DEEPEST) {
            throw RefusedException.of("values that are compared are nested more than %d deep", DEEPEST);
        }
        if (isNumber(left) && isNumber(right)) {
            return compareNumbers(left, right) == 0;
        }
        return switch (left) {
            case Value.Text(String text) -> right instanceof Value.Text(String other) && sameText(text, other);
            case Value.Items(List<Value> items, boolean tuple) ->
                right instanceof Value.Items(List<Value> others, boolean otherTuple)
                        && tuple == otherTuple
                        && sameItems(items, others, depth);
            case Value.Dict(Map<Value, Value> entries) ->
                right instanceof Value.Dict(Map<Value, Value> others) && sameEntries(entries, others, depth);
            case Value.Undefined _ -> right instanceof Value.Undefined;
            default -> left.equals(right);
        };
    }

    private boolean sameText(String text, String other) {
        budget.charge(Math.min(text.length(), other.length()));
        return text.equals(other);
    }

    private boolean sameItems(List<Value> items, List<Value> others, int depth) {
        if (items.size() != others.size()) {
            return false;
        }
        Iterator<Value> other = others.iterator();
        for (Value item : items) {
            if (!equal(item, other.next(), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean sameEntries(Map<Value, Value> entries, Map<Value, Value> others, int depth) {
        if (entries.size() != others.size()) {
            return false;
        }
        for (Map.Entry<Value, Value> entry : entries.entrySet()) {
            Value other = others.get(entry.getKey());
            if (other == null || !equal(entry.getValue(), other, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private int order(Value left, Value right, int depth) {
        if (isNumber(left) && isNumber(right)) {
            return compareNumbers(left, right);
        }
        if (left instanceof Value.Text(String text) && right instanceof Value.Text(String other)) {
            budget.charge(Math.min(text.length(), other.length()));
            return compareTexts(text, other);
        }
        if (left instanceof Value.Items(List<Value> items, boolean tuple)
                && right instanceof Value.Items(List<Value> others, boolean otherTuple)
                && tuple == otherTuple) {
            return orderOfItems(items, others, depth + 1);
        }
        throw RefusedException.of("%s and %s have no order", left.type(), right.type());
    }

    private int orderOfItems(List<Value> items, List<Value> others, int depth) {
        for (int i = 0; i < Math.min(items.size(), others.size()); i++) {
            if (!equal(items.get(i), others.get(i), depth)) {
                return order(items.get(i), others.get(i), depth);
            }
        }
        return Integer.compare(items.size(), others.size());
    }

    /** By characters, where Java compares UTF-16 units. */
    private static int compareTexts(String text, String other) {
        int at = 0;
        while (at < text.length() && at < other.length() && text.charAt(at) == other.charAt(at)) {
            at++;
        }
        if (at == text.length() || at == other.length()) {
            return Integer.compare(text.length(), other.length());
        }
        int from = at > 0 && Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
        return Integer.compare(text.codePointAt(from), other.codePointAt(from));
    }

    boolean contains(Value all, Value one) {
        return switch (all) {
            case Value.Text(String text) -> {
                if (!(one instanceof Value.Text(String part))) {
                    throw RefusedException.of("%s cannot be in a string", one.type());
                }
                budget.charge(text.length());
                yield text.contains(part);
            }
            case Value.Items(List<Value> items, var _) -> containsItem(items, one);
            case Value.Dict(Map<Value, Value> entries) -> !isTuple(one) && entries.containsKey(key(one));
            case Value.Undefined _ -> false;
            default -> throw RefusedException.of("nothing can be in %s", all.type());
        };
    }

    private boolean containsItem(List<Value> items, Value one) {
        for (Value item : items) {
            if (equal(item, one)) {
                return true;
            }
        }
        return false;
    }

    /** A value as the key of a mapping. */
    static Value key(Value value) {
        if (value instanceof Value.Items || value instanceof Value.Dict) {
            throw RefusedException.of("%s is no key of a mapping; use a string", value.type());
        }
        return value;
    }

    /** Python has tuples as keys, too; a template cannot make such a mapping here. */
    private static boolean isTuple(Value value) {
        return value instanceof Value.Items(var _, boolean tuple) && tuple;
    }

    static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    private static int compareNumbers(Value left, Value right) {
        if (left instanceof Value.Real || right instanceof Value.Real) {
            double a = Arithmetics.real(left);
            double b = Arithmetics.real(right);
            return a < b ? -1 : a > b ? 1 : 0;
        }
        return Long.compare(Arithmetics.whole(left), Arithmetics.whole(right));
    }
}
