package io.knabla.functions.unit;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the rows of several requests may be joined into one run, as a trial at deploy found. The names are on the
 * wire: a controller reads those of older and newer replicas.
 */
public enum RowsFinding {
    /** Each row has the same answer alone and beside others. */
    INDEPENDENT,
    /** The answer to a row changes with the rows beside it. */
    DEPENDENT,
    /** An output has not one row for each row of the inputs, so the answers cannot be told apart. */
    INSEPARABLE,
    /** The trial could not tell. */
    NOT_CHECKED,
    /** The model has no variable first dimension that all inputs and outputs share, so nothing is joined. */
    NOT_JOINED;

    /** The finding of this name; empty for one that only a newer replica knows. */
    public static Optional<RowsFinding> parse(String name) {
        return Stream.of(values()).filter(one -> one.name().equals(name)).findFirst();
    }
}
