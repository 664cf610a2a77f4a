package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.GeneratorStatistics;
import io.knabla.runtime.generation.LatencyCounts;
import io.knabla.runtime.generation.PrefixExport;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.TextLatencies;
import io.knabla.runtime.generation.TextLatencies.ObjectiveCounts;
import io.knabla.runtime.generation.loop.TestTokenizer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Answers requests as a test says, with a context of 96 tokens. */
final class FakeGenerator implements Generator {
    static final int CONTEXT = 96;
    static final String TEMPLATE =
            "{% for m in messages %}{% if m.content == 'refuse' %}{{ raise_exception('no such words, please') }}{% endif %}{{ m.content }}{% endfor %}{% if tools is not none or documents is not none %}q{% endif %}{% if add_generation_prompt %}z{% endif %}";

    static final KeyValueDigest KEY_VALUES = new KeyValueDigest(Sha256.of(new byte[0]));

    final List<GenerationRequest> requests = new CopyOnWriteArrayList<>();
    /** How often what was read for others was freed. */
    final AtomicInteger freed = new AtomicInteger();

    volatile Function<GenerationRequest, Submission> script = request -> {
        throw new IllegalStateException("no answer was set");
    };
    private final Tokenizer tokenizer = Tokenizer.of(ByteBuffer.wrap(TestTokenizer.table()));
    private final GenerationSettings settings;

    FakeGenerator(Optional<String> template) {
        this(template, LatencyObjectives.NONE);
    }

    FakeGenerator(Optional<String> template, LatencyObjectives objectives) {
        this(template, objectives, 4, 4);
    }

    /**
     * @param sequences texts at a time
     * @param queue others that may wait
     */
    FakeGenerator(Optional<String> template, LatencyObjectives objectives, int sequences, int queue) {
        settings = new GenerationSettings(
                new GenerationLimits(CONTEXT, sequences, 1 << 20, queue, 30_000),
                new DecoderShape(1, 1, 1, TestTokenizer.SIZE),
                List.of(TestTokenizer.END),
                template,
                Map.of("bos_token", "<s>"),
                new SamplingDefaults(0.7, 0.9, 5, 1.1),
                objectives,
                new Speculation.None());
    }

    void answer(FakeGeneration generation) {
        script = request -> new Submission.Accepted(generation);
    }

    @Override
    public Submission submit(GenerationRequest request) {
        requests.add(request);
        return script.apply(request);
    }

    /** Two blocks of some bytes. */
    @Override
    public Submission read(int[] prompt, PrefixExport export) {
        export.take(
                List.of(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {4, 5, 6})),
                freed::incrementAndGet);
        return new Submission.Accepted(new FakeGeneration().end(FinishReason.STOP, prompt.length, 0));
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
        return 0;
    }

    @Override
    public int waiting() {
        return 0;
    }

    @Override
    public double utilization() {
        return 0.5;
    }

    @Override
    public long runs() {
        return 0;
    }

    @Override
    public Duration overdue() {
        return Duration.ZERO;
    }

    @Override
    public GeneratorStatistics statistics() {
        var none = new LatencyCounts(List.of(0L), 0);
        var times = new TextLatencies(none, none, none, none, new ObjectiveCounts(5, 2, 3));
        return new GeneratorStatistics(0, 0, 0, 0, 0, 7, GeneratorStatistics.Prefill.NONE, 0, 0, times);
    }

    @Override
    public void close() {}
}
