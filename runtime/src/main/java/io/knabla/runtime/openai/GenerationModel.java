package io.knabla.runtime.openai;

import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Parsed;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.serve.ServedModel;
import java.time.Duration;

/** A language model that this replica serves. */
public final class GenerationModel implements ServedModel {
    private final Generator generator;
    private final Prompts prompts;

    /** @throws UnitException if the unit's chat template cannot be read */
    public GenerationModel(Generator generator) {
        this.generator = generator;
        GenerationSettings settings = generator.settings();
        prompts = new Prompts(
                settings, generator.tokenizer(), settings.chatTemplate().map(GenerationModel::template));
    }

    private static ChatTemplate template(String source) {
        return switch (ChatTemplate.parse(source)) {
            case Parsed.Valid(var template) -> template;
            case Parsed.Invalid(var faults) ->
                throw UnitException.badFile(GenerationSettings.FILE, "chatTemplate: " + faults.getFirst());
        };
    }

    Generator generator() {
        return generator;
    }

    Prompts prompts() {
        return prompts;
    }

    /** The model's own sampling, where a request says nothing. */
    GenerationSettings settings() {
        return generator.settings();
    }

    @Override
    public int running() {
        return generator.running();
    }

    @Override
    public int waiting() {
        return generator.waiting();
    }

    @Override
    public long runs() {
        return generator.runs();
    }

    @Override
    public Duration overdue() {
        return generator.overdue();
    }

    @Override
    public void close() {
        generator.close();
    }
}
