package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.tree.Fields;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads objects that are told apart by their {@code type}, such as normalizers, and sequences of them. */
final class Steps {
    private static final int MOST = 64;

    private Steps() {}

    /** Reads one object of an allowed type and reports all entries that the type does not have. */
    static <T> Optional<T> read(Fields fields, List<String> allowed, Function<String, T> reader) {
        Optional<T> read = fields.type(allowed).map(reader);
        if (read.isPresent()) {
            fields.nothingElse();
        }
        return read;
    }

    /** Reads the items of a sequence; nesting is bounded by that of the document. */
    static <T> List<T> all(Fields fields, String key, Function<Fields, Optional<T>> reader) {
        return fields.objects(key, MOST).stream()
                .map(reader)
                .flatMap(Optional::stream)
                .toList();
    }
}
