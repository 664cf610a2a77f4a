package io.knabla.functions.chat.value;

import java.util.List;

/** Where a loop is: the variable {@code loop} of its body. */
public final class Loop implements Value {
    private final List<Value> items;
    private final int depth;
    private int at;

    /** @param depth number of loops around it, in the same macro */
    public Loop(List<Value> items, int depth) {
        this.items = items;
        this.depth = depth;
    }

    /** Goes to the item with this index. */
    public void go(int index) {
        at = index;
    }

    /** One of the arguments in turn, one for each item. */
    public Value cycle(List<Value> values) {
        return values.get(at % values.size());
    }

    /** The value of an attribute; null if there is none of this name. */
    public Value get(String name) {
        return switch (name) {
            case "index" -> new Int(at + 1);
            case "index0" -> new Int(at);
            case "revindex" -> new Int(items.size() - at);
            case "revindex0" -> new Int(items.size() - at - 1);
            case "first" -> Value.of(at == 0);
            case "last" -> Value.of(at == items.size() - 1);
            case "length" -> new Int(items.size());
            case "depth" -> new Int(depth + 1);
            case "depth0" -> new Int(depth);
            case "previtem" -> neighbour(at - 1, name);
            case "nextitem" -> neighbour(at + 1, name);
            default -> null;
        };
    }

    private Value neighbour(int index, String name) {
        return index < 0 || index >= items.size() ? new Undefined("loop." + name) : items.get(index);
    }
}
