package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import java.util.List;
import java.util.OptionalLong;

/**
 * Arguments of a call in the order of its parameters.
 *
 * @param values null for those that were not given
 */
record CallArguments(List<Value> values, Writing writing) {
    boolean has(int index) {
        return values.get(index) != null;
    }

    Value get(int index, Value otherwise) {
        return has(index) ? values.get(index) : otherwise;
    }

    Value get(int index) {
        return values.get(index);
    }

    /** The text of an argument of any type. */
    String written(int index, String otherwise) {
        return has(index) ? writing.text(get(index)) : otherwise;
    }

    /** An argument that must be a string. */
    String text(int index) {
        if (get(index) instanceof Value.Text(String text)) {
            return text;
        }
        throw RefusedException.of(
                "an argument is %s; it must be a string", get(index).type());
    }

    /** A string; null if it is none or not given. */
    String textOrNone(int index) {
        return !has(index) || get(index) instanceof Value.None ? null : text(index);
    }

    boolean isTrue(int index) {
        return has(index) && get(index).isTrue();
    }

    long whole(int index, long otherwise) {
        return has(index) && !(get(index) instanceof Value.None) ? Arithmetics.whole(get(index)) : otherwise;
    }

    static OptionalLong bound(Value value) {
        return value == null || value instanceof Value.None
                ? OptionalLong.empty()
                : OptionalLong.of(Arithmetics.whole(value));
    }
}
