package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Generators on fake decoders; by default for one text at a time, with a context of 96 tokens. */
record FakeGenerators(
        int sequences,
        int queue,
        int kvTokens,
        int spareTokens,
        int prefixTokens,
        int chunk,
        int context,
        AtomicLong clock) {
    static final Duration MAX_WAIT = Duration.ofSeconds(30);

    static final LatencyObjectives OBJECTIVES =
            new LatencyObjectives(Optional.of(Duration.ofSeconds(2)), Optional.of(Duration.ofMillis(40)));

    private static final DecoderShape SHAPE = new DecoderShape(1, 1, 1, TestTokenizer.SIZE);

    static FakeGenerators one() {
        return of(1, 10);
    }

    static FakeGenerators of(int sequences, int queue) {
        return new FakeGenerators(sequences, queue, 1 << 16, 1 << 16, 0, 1 << 16, TestUnits.CONTEXT, new AtomicLong());
    }

    /** Little memory, of which interruptions have a part. */
    static FakeGenerators small(int sequences, int kvTokens, int spareTokens, int chunk) {
        return new FakeGenerators(
                sequences, 1000, kvTokens, spareTokens, 0, chunk, TestUnits.CONTEXT, new AtomicLong());
    }

    /** The same, with memory for the beginnings of prompts. */
    FakeGenerators withPrefixes(int prefixTokens) {
        return new FakeGenerators(sequences, queue, kvTokens, spareTokens, prefixTokens, chunk, context, clock);
    }

    /** The same, for longer texts. */
    FakeGenerators withContext(int tokens) {
        return new FakeGenerators(sequences, queue, kvTokens, spareTokens, prefixTokens, chunk, tokens, clock);
    }

    TextGenerator open(Supplier<Decoder> decoder) {
        return open(decoder, Optional.empty());
    }

    /** A generator whose prompts are read elsewhere. */
    TextGenerator open(Supplier<Decoder> decoder, PrefixSource source) {
        return open(decoder, Optional.of(source));
    }

    private TextGenerator open(Supplier<Decoder> decoder, Optional<PrefixSource> source) {
        var limits = new GenerationLimits(context, sequences, 1L << 30, queue, MAX_WAIT.toMillis());
        var settings = new GenerationSettings(
                limits,
                SHAPE,
                List.of(TestTokenizer.END),
                Optional.empty(),
                Map.of(),
                SamplingDefaults.NEUTRAL,
                OBJECTIVES,
                new Speculation.None());
        var loop = new LoopSettings(
                new ScheduleLimits(sequences, kvTokens, 0),
                new ChunkSize.Limits(chunk, Duration.ofMillis(50)),
                TestTokenizer.SIZE,
                spareTokens,
                prefixTokens,
                0,
                MAX_WAIT,
                Set.of(TestTokenizer.END));
        return new TextGenerator(settings, loop, TestTokenizer.open(), decoder::get, source, clock::get);
    }
}
