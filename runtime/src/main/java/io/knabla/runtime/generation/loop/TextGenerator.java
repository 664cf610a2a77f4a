package io.knabla.runtime.generation.loop;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.GeneratorStatistics;
import io.knabla.runtime.generation.PrefixExport;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Generator whose texts share one decoder, which a thread of its own runs. */
public final class TextGenerator implements Generator {
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    private final GenerationSettings settings;
    private final Tokenizer tokenizer;
    private final Arrivals arrivals;
    private final LoopCounters counters;
    private final LongSupplier clock;
    private final Thread thread;

    /** @param clock nanoseconds from any origin */
    TextGenerator(
            GenerationSettings settings,
            LoopSettings loop,
            Tokenizer tokenizer,
            DecoderOpener opener,
            LongSupplier clock) {
        this(settings, loop, tokenizer, opener, Optional.empty(), clock);
    }

    /**
     * @param source of prompts that are read elsewhere; closed with this generator
     * @param clock nanoseconds from any origin
     */
    TextGenerator(
            GenerationSettings settings,
            LoopSettings loop,
            Tokenizer tokenizer,
            DecoderOpener opener,
            Optional<PrefixSource> source,
            LongSupplier clock) {
        this.settings = settings;
        this.tokenizer = tokenizer;
        this.clock = clock;
        this.counters = new LoopCounters(settings.objectives());
        this.arrivals = new Arrivals(settings.limits().mostTexts());
        var engine = new EngineLoop(opener, source, loop, arrivals, counters, clock);
        this.thread = Thread.ofPlatform().daemon().name("generation").start(engine);
    }

    /** Opens a unit all of whose prompts are read here. */
    public static TextGenerator open(Path folder, int threads) {
        return open(folder, settings(folder), threads, Optional.empty());
    }

    /**
     * Opens a unit of type {@value GenerationSettings#TYPE}.
     *
     * @param folder of the materialised unit
     * @param threads inside one run of the engine
     * @param source of prompts that are read elsewhere; closed with this generator
     * @throws UnitException if the unit's settings cannot be used
     * @throws io.knabla.runtime.engine.EngineException if the engine cannot load the graph
     */
    public static TextGenerator open(
            Path folder, GenerationSettings settings, int threads, Optional<PrefixSource> source) {
        try {
            Tokenizer tokenizer = Tokenizer.open(folder.resolve(GenerationSettings.TOKENIZER));
            var opener = new UnitOpener(folder, settings, threads);
            return new TextGenerator(settings, loop(settings), tokenizer, opener, source, System::nanoTime);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Settings of a materialised unit.
     *
     * @throws UnitException if they cannot be used
     */
    public static GenerationSettings settings(Path folder) {
        try {
            return GenerationSettings.parse(Files.readAllBytes(folder.resolve(GenerationSettings.FILE)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static LoopSettings loop(GenerationSettings settings) {
        try {
            return LoopSettings.of(settings);
        } catch (IllegalArgumentException unusable) {
            throw UnitException.badFile(GenerationSettings.FILE, unusable.getMessage());
        }
    }

    @Override
    public Submission submit(GenerationRequest request) {
        return fault(request).orElseGet(() -> accept(request, Optional.empty()));
    }

    @Override
    public Submission read(int[] prompt, PrefixExport export) {
        var request = GenerationRequest.of(prompt, 1, Sampling.GREEDY);
        return fault(request).orElseGet(() -> accept(request, Optional.of(export)));
    }

    private Optional<Submission> fault(GenerationRequest request) {
        int most = settings.limits().contextLength() - 1;
        if (request.prompt().length > most) {
            return Optional.of(new Submission.PromptTooLong(request.prompt().length, most));
        }
        return RequestCheck.fault(request, settings.shape().vocabulary()).map(Submission.Invalid::new);
    }

    private Submission accept(GenerationRequest request, Optional<PrefixExport> export) {
        var sequence = new TextSequence(
                request, export, tokenizer, settings.limits().contextLength(), new TextTimes(clock.getAsLong()));
        return switch (arrivals.offer(sequence)) {
            case ACCEPTED -> new Submission.Accepted(sequence.events);
            case FULL -> new Submission.QueueFull(retryAfter());
            case CLOSED -> new Submission.Closed();
        };
    }

    /** The time after which all that wait now have had their turn, if texts take as long as before. */
    private Duration retryAfter() {
        double turns = (double) waiting() / settings.limits().maxSequences();
        long seconds = (long)
                Math.ceil(turns * counters.meanNanos() / Duration.ofSeconds(1).toNanos());
        return Duration.ofSeconds(Math.clamp(seconds, 1, LONGEST_RETRY.toSeconds()));
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public GenerationSettings settings() {
        return settings;
    }

    @Override
    public int running() {
        return counters.running();
    }

    @Override
    public int waiting() {
        return Math.max(0, arrivals.unfinished() - counters.running());
    }

    @Override
    public double utilization() {
        return counters.utilization().most(settings.objectives().timeToFirstToken());
    }

    @Override
    public long runs() {
        return counters.runs();
    }

    @Override
    public Duration overdue() {
        return counters.broken()
                .map(since -> Duration.ofNanos(clock.getAsLong() - since))
                .orElse(Duration.ZERO);
    }

    @Override
    public GeneratorStatistics statistics() {
        return counters.statistics(settings.bytesPerToken(), settings.limits().kvCacheBytes());
    }

    @Override
    public void close() {
        arrivals.close();
        try {
            thread.join();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
