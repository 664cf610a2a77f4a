package io.knabla.runtime.openai;

import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Parsed;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.loop.TextGenerator;
import io.knabla.runtime.prefill.HttpPrefixSource;
import io.knabla.runtime.prefill.PrefillAddress;
import io.knabla.runtime.serve.ReplicaState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A language model that the replica serves, opened from its unit. Owns the generator.
 *
 * @param template what its chat template's source says; empty if it has none
 * @param keyValues digest of what its keys and values depend on
 */
public record GenerationModel(Generator generator, Optional<Parsed> template, KeyValueDigest keyValues)
        implements TextModel {
    private static final Duration LEAST_DEADLINE = Duration.ofSeconds(1);

    /**
     * Opens a unit.
     *
     * @param folder of the materialised unit
     * @param threads inside one run of the engine
     * @param prefill function that reads prompts for this one; empty if they are read here
     * @throws io.knabla.functions.unit.UnitException if the unit's settings cannot be used
     */
    public static GenerationModel open(Path folder, FileManifest unit, int threads, Optional<PrefillAddress> prefill) {
        var keyValues = KeyValueDigest.of(unit);
        GenerationSettings settings = TextGenerator.settings(folder);
        Optional<PrefixSource> source =
                prefill.map(address -> new HttpPrefixSource(address, keyValues, deadline(settings)));
        return of(TextGenerator.open(folder, settings, threads, source), keyValues);
    }

    /** Half of what a request may wait: then there is time to read its prompt here. */
    private static Duration deadline(GenerationSettings settings) {
        Duration half = Duration.ofMillis(settings.limits().maxWaitMillis() / 2);
        return half.compareTo(LEAST_DEADLINE) < 0 ? LEAST_DEADLINE : half;
    }

    /** A model with the chat template of its settings. */
    public static GenerationModel of(Generator generator, KeyValueDigest keyValues) {
        return new GenerationModel(
                generator, generator.settings().chatTemplate().map(ChatTemplate::parse), keyValues);
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
