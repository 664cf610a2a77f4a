package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.unit.encoder.Prompts;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import io.knabla.runtime.openai.RequestFields;
import java.util.Optional;

/** Chooses the prompt before the texts of a request: the one that it names, otherwise the model's default. */
record PromptChoice(Prompts prompts) {
    /** As Hugging Face's text-embeddings-inference calls it. */
    static final String FIELD = "prompt_name";

    /** Empty for none, which an empty name asks for, and after a fault. */
    Optional<Prompt> of(RequestFields fields) {
        Optional<String> name = fields.text(FIELD);
        Optional<Prompt> chosen = name.or(prompts::byDefault).flatMap(prompts::named);
        boolean none = name.isEmpty() || name.get().isEmpty();
        if (!none && chosen.isEmpty()) {
            fields.fault(FIELD, "'%s' is %s; %s", FIELD, RequestFields.quote(name.get()), known());
        }
        if (!none && EmbeddingInputs.hasIds(fields)) {
            fields.fault(
                    FIELD,
                    "'%s' puts a prompt before texts, but 'input' has ids of tokens; leave it out, or send strings",
                    FIELD);
        }
        return chosen;
    }

    private String known() {
        return prompts.all().isEmpty()
                ? "this model has no prompts; leave it out"
                : "the prompts of this model are "
                        + String.join(
                                ", ",
                                prompts.all().stream()
                                        .map(prompt -> RequestFields.quote(prompt.name()))
                                        .toList());
    }
}
