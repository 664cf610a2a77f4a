package io.knabla.runtime.openai;

import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Parsed;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.loop.TextGenerator;
import io.knabla.runtime.serve.ReplicaState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A language model that the replica serves, opened from its unit. Owns the generator.
 *
 * @param template what its chat template's source says; empty if it has none
 */
public record GenerationModel(Generator generator, Optional<Parsed> template) implements TextModel {
    /**
     * Opens a unit.
     *
     * @param folder of the materialised unit
     * @param threads inside one run of the engine
     * @throws io.knabla.functions.unit.UnitException if the unit's settings cannot be used
     */
    public static GenerationModel open(Path folder, int threads) {
        return of(TextGenerator.open(folder, threads));
    }

    /** A model with the chat template of its settings. */
    public static GenerationModel of(Generator generator) {
        return new GenerationModel(
                generator, generator.settings().chatTemplate().map(ChatTemplate::parse));
    }

    @Override
    public TextHandler handler(ReplicaState state) {
        return new OpenAiHandler(state, this);
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
    public OptionalDouble utilization() {
        return OptionalDouble.of(generator.utilization());
    }

    @Override
    public void metrics(StringBuilder text, String labels) {
        new GenerationMetrics(text, labels).append(generator);
    }

    @Override
    public void close() {
        generator.close();
    }
}
