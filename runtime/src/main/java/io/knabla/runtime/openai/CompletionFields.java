package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.SamplingDefaults;
import java.util.random.RandomGenerator;

/** Reads the fields of a text completion besides its prompt. */
final class CompletionFields {
    private CompletionFields() {}

    static TextOptions options(RequestFields fields, SamplingDefaults defaults, RandomGenerator random) {
        fields.unsupported("is not supported", "echo", "suffix");
        fields.unsupported("is not supported; send n, and choose among the texts", "best_of");
        fields.ignore("user");
        ChatFields.responseFormat(fields);
        return TextOptions.ofCompletion(fields, defaults, random);
    }
}
