package io.knabla.functions.tokenizer.tree;

import java.util.List;
import java.util.Map;

/** A value of a document: a mapping, a sequence or a scalar. */
public sealed interface Tree {
    /** Entries in the order of the document. */
    record Mapping(Map<String, Tree> entries) implements Tree {}

    record Sequence(List<Tree> items) implements Tree {}

    record Text(String value) implements Tree {}

    record Whole(long value) implements Tree {}

    record Decimal(double value) implements Tree {}

    record Flag(boolean value) implements Tree {}

    record Nothing() implements Tree {}

    /** What the value is, in words for a message. */
    default String kind() {
        return switch (this) {
            case Mapping _ -> "an object";
            case Sequence _ -> "a list";
            case Text text -> Faults.quote(text.value);
            case Whole whole -> Long.toString(whole.value);
            case Decimal decimal -> Double.toString(decimal.value);
            case Flag flag -> Boolean.toString(flag.value);
            case Nothing _ -> "null";
        };
    }
}
