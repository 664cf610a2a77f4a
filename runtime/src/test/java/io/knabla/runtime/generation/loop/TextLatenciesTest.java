package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.LatencyCounts;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.TextLatencies;
import io.knabla.runtime.generation.TextLatencies.ObjectiveCounts;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the measured times of texts, with a clock that runs on with each token. */
class TextLatenciesTest {
    private static final int[] PROMPT = TestTokenizer.letters("a");
    private static final int[] TEXT = TestTokenizer.letters("bcd");

    private final FakeGenerators generators = FakeGenerators.one();

    /** A model that says three letters and the end, and takes so long for the first token and for each further one. */
    private Function<List<Integer>, float[]> taking(long firstMillis, long nextMillis) {
        var words = FakeModels.saying(TEXT);
        return sequence -> {
            // Rows beyond those of texts are computed in the same time.
            if (sequence.getFirst() == PROMPT[0]) {
                long millis = sequence.size() == 1 ? firstMillis : nextMillis;
                generators.clock().addAndGet(Duration.ofMillis(millis).toNanos());
            }
            return words.apply(sequence);
        };
    }

    private static long millis(LatencyCounts times) {
        return Duration.ofNanos(times.nanos()).toMillis();
    }

    private TextLatencies latencies(long firstMillis, long nextMillis) throws InterruptedException {
        try (Generator generator = generators.open(() -> FakeDecoder.running(taking(firstMillis, nextMillis)))) {
            var request = GenerationRequest.of(PROMPT, 20, Sampling.GREEDY);
            assertThat(Texts.generate(generator, request).text()).isEqualTo("bcd");
            return generator.statistics().latencies();
        }
    }

    @Test
    void timesOfATextAreMeasured() throws InterruptedException {
        TextLatencies times = latencies(500, 30);
        assertThat(millis(times.queue())).isZero();
        assertThat(times.queue().total()).isEqualTo(1);
        assertThat(millis(times.firstToken())).isEqualTo(500);
        assertThat(times.firstToken().total()).isEqualTo(1);
        assertThat(millis(times.interToken())).isEqualTo(90);
        assertThat(times.interToken().total()).isEqualTo(3);
        assertThat(millis(times.perOutputToken())).isEqualTo(30);
        assertThat(times.perOutputToken().total()).isEqualTo(1);
        assertThat(times.objectives()).isEqualTo(new ObjectiveCounts(1, 0, 0));
    }

    @Test
    void slowTextsMissTheirObjectives() throws InterruptedException {
        assertThat(latencies(2001, 40).objectives()).isEqualTo(new ObjectiveCounts(0, 1, 0));
        assertThat(latencies(2000, 41).objectives()).isEqualTo(new ObjectiveCounts(0, 0, 1));
        assertThat(latencies(2001, 41).objectives()).isEqualTo(new ObjectiveCounts(0, 1, 1));
    }

    @Test
    void durationsAreCountedByTheFirstBoundThatTheyDoNotExceed() {
        var counter = new LatencyHistogram();
        IntStream.of(1, 2, 3, 1000, 70_000)
                .forEach(millis -> counter.add(Duration.ofMillis(millis).toNanos()));
        assertThat(counter.counts().counts())
                .containsExactly(1L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 1L, 0L, 0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void whatNeverBeganMissedItsFirstToken() {
        var counters = new LatencyCounters(FakeGenerators.OBJECTIVES);
        counters.neverBegun();
        assertThat(counters.latencies().objectives()).isEqualTo(new ObjectiveCounts(0, 1, 0));
        var without = new LatencyCounters(LatencyObjectives.NONE);
        without.neverBegun();
        assertThat(without.latencies().objectives()).isEqualTo(new ObjectiveCounts(0, 0, 0));
    }
}
