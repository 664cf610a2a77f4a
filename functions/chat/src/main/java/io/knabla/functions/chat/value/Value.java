package io.knabla.functions.chat.value;

import java.util.List;
import java.util.Map;

/** A value of a template, of a type that Python has. */
public sealed interface Value
        permits Value.None,
                Value.Undefined,
                Value.Bool,
                Value.Int,
                Value.Real,
                Value.Text,
                Value.Items,
                Value.Dict,
                Value.Callable,
                Namespace,
                Loop {
    Value NONE = new None();
    Value TRUE = new Bool(true);
    Value FALSE = new Bool(false);
    Value EMPTY = new Text("");

    record None() implements Value {}

    /** @param name what has no value, for a message */
    record Undefined(String name) implements Value {}

    record Bool(boolean value) implements Value {}

    /** Python's integers have no bound; beyond 64 bits a template is refused. */
    record Int(long value) implements Value {}

    record Real(double value) implements Value {}

    record Text(String text) implements Value {}

    /**
     * A list, or a tuple, which is written otherwise and equals no list.
     *
     * @param items not copied, so they must not change
     */
    record Items(List<Value> items, boolean tuple) implements Value {
        public Items(List<Value> items) {
            this(items, false);
        }
    }

    /**
     * A mapping in the order of its entries.
     *
     * @param entries not copied, so they must not change; a key is no list and no mapping
     */
    record Dict(Map<Value, Value> entries) implements Value {}

    /** A function or macro; it is called by its name. */
    record Callable(String name) implements Value {}

    static Value of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** Whether it counts as true in a condition. */
    default boolean isTrue() {
        return switch (this) {
            case None _, Undefined _ -> false;
            case Bool(boolean value) -> value;
            case Int(long value) -> value != 0;
            case Real(double value) -> value != 0;
            case Text(String text) -> !text.isEmpty();
            case Items(List<Value> items, var _) -> !items.isEmpty();
            case Dict(Map<Value, Value> entries) -> !entries.isEmpty();
            case Callable _, Namespace _, Loop _ -> true;
        };
    }

    /** Name of its type, for a message. */
    default String type() {
        return switch (this) {
            case None _ -> "none";
            case Undefined _ -> "undefined";
            case Bool _ -> "a boolean";
            case Int _ -> "an integer";
            case Real _ -> "a float";
            case Text _ -> "a string";
            case Items(var _, boolean tuple) -> tuple ? "a tuple" : "a list";
            case Dict _ -> "a mapping";
            case Callable _ -> "a function";
            case Namespace _ -> "a namespace";
            case Loop _ -> "a loop";
        };
    }
}
