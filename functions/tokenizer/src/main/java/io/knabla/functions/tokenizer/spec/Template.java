package io.knabla.functions.tokenizer.spec;

import java.util.List;

/**
 * Places of special tokens around one text and around a pair of texts: {@code TemplateProcessing} of tokenizer.json.
 */
public record Template(List<Part> single, List<Part> pair) {
    /** One text as it is; two texts one after the other, with types 0 and 1. */
    static final Template PLAIN =
            new Template(List.of(new Part.Text(false, 0)), List.of(new Part.Text(false, 0), new Part.Text(true, 1)));

    public Template {
        single = List.copyOf(single);
        pair = List.copyOf(pair);
    }

    /** A part of the result. */
    public sealed interface Part {
        int typeId();

        record Special(List<Integer> ids, int typeId) implements Part {
            public Special {
                ids = List.copyOf(ids);
            }
        }

        record Text(boolean second, int typeId) implements Part {}
    }
}
