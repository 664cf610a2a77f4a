package io.knabla.controller.simulate.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.knabla.controller.simulate.generation.RequestLoad.Arrivals;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoodputTest {
    private static final ReplicaLimits LIMITS =
            new ReplicaLimits(new ScheduleLimits(64, 400_000, 128), 64, Duration.ofSeconds(30));

    private static Objectives objectives(long tpotMillis) {
        return new Objectives(Duration.ofSeconds(1), Duration.ofMillis(tpotMillis));
    }

    private static GoodputSearch azure(long seed, int replicas) {
        List<TextRequest> trace = TokenTraceReader.azureCode().subList(0, 500);
        return new GoodputSearch(
                TokenTraceReader.AZURE_CODE,
                RequestLoad.of(trace, Arrivals.Poisson, seed),
                new Deployment(replicas, LIMITS, StepCosts.LARGE_GPU, 10_500));
    }

    /** Requests of a prompt and a text each, a second apart on average. */
    private static GoodputSearch alike(int prompt, int generated, StepCosts costs) {
        List<TextRequest> trace = IntStream.range(0, 200)
                .mapToObj(second -> new TextRequest(second, prompt, generated))
                .toList();
        return new GoodputSearch(
                "alike", RequestLoad.of(trace, Arrivals.Trace, 1), new Deployment(1, LIMITS, costs, 0));
    }

    /** Objectives in ms and seeds: those at which a wrong rule failed, in the thorough suite also those between. */
    static Stream<Arguments> objectivesAndSeeds() {
        var few = Stream.of(arguments(15, 1), arguments(20, 1), arguments(50, 1), arguments(100, 1), arguments(30, 2));
        var more = Stream.of(
                arguments(25, 1),
                arguments(30, 1),
                arguments(35, 1),
                arguments(40, 1),
                arguments(70, 1),
                arguments(200, 1),
                arguments(20, 2),
                arguments(50, 2),
                arguments(100, 2));
        return Boolean.getBoolean("knabla.thorough") ? Stream.concat(few, more) : few;
    }

    /** The bar G9, on the bundled trace with the costs of one large GPU. */
    @ParameterizedTest
    @MethodSource("objectivesAndSeeds")
    void theChunkThatFollowsTheObjectiveIsNoWorseThanTheBestFixedOne(long tpotMillis, long seed) {
        GoodputSearch search = azure(seed, 1);
        Objectives objectives = objectives(tpotMillis);
        double best = List.of(2048, 512, 128).stream()
                .mapToDouble(tokens -> search.goodput(new ChunkPolicy.Fixed(tokens), objectives))
                .max()
                .orElseThrow();

        assertThat(search.goodput(new ChunkPolicy.Objective(ChunkPolicy.Objective.MOST), objectives))
                .isGreaterThanOrEqualTo(0.95 * best);
    }

    @Test
    void splitRolesPayWhereTokensMustFollowQuickly() {
        GoodputSearch search = azure(1, 4);

        assertThat(search.goodput(new ChunkPolicy.Split(2, 2), objectives(20)))
                .isGreaterThan(search.goodput(new ChunkPolicy.Whole(), objectives(20)));
    }

    /** A prompt of 1,000 tokens takes 8 + 40 ms, its one token comes then: 1 / 48 ms, at even distances. */
    @Test
    void goodputOfPromptsAloneIsWhatOneRunAfterTheOtherCanRead() {
        GoodputSearch search = alike(1000, 1, new StepCosts(8000, 40, 0, 0));
        Objectives tight = new Objectives(Duration.ofMillis(48), Duration.ofMillis(1));

        assertThat(search.goodput(new ChunkPolicy.Whole(), tight)).isBetween(20.8, 20.85);
    }

    /** The first token after 8.4 ms, and each of the 9 others 9 ms later. */
    @ParameterizedTest
    @ValueSource(ints = {8, 10})
    void noRateIsGoodIfASingleTextMissesAnObjective(int tpotMillis) {
        GoodputSearch search = alike(10, 10, new StepCosts(8000, 40, 1000, 0));
        Objectives objectives = new Objectives(Duration.ofSeconds(1), Duration.ofMillis(tpotMillis));

        double goodput = search.goodput(new ChunkPolicy.Whole(), objectives);

        assertThat(goodput > 0).isEqualTo(tpotMillis > 9);
    }

    @Test
    void tokensThatComeInTimeCountOneEach() {
        GoodputSearch search = alike(10, 10, new StepCosts(8000, 40, 1000, 0));

        GoodputRow row = search.row(new ChunkPolicy.Whole(), objectives(50), OptionalDouble.of(1));

        // 200 texts of 10 tokens in 199 s and the last one's 90 ms.
        assertThat(row.smoothGoodput()).isBetween(10.04, 10.06);
        assertThat(row.attained()).isEqualTo(1);
        assertThat(row.goodput()).isNull();
    }

    @Test
    void aFullQueueRefusesAndRefusedRequestsKeepNoObjective() {
        GoodputRow row = azure(1, 1).row(new ChunkPolicy.Whole(), objectives(50), OptionalDouble.of(100));

        assertThat(row.refused()).isPositive();
        assertThat(row.attained() + row.refused()).isLessThanOrEqualTo(1);
    }

    @Test
    void textsAreInterruptedWhereMemoryIsShortAndEndAllTheSame() {
        var small = new ReplicaLimits(new ScheduleLimits(64, 8_000, 0), 64, Duration.ofSeconds(30));
        List<TextRequest> trace =
                List.of(new TextRequest(0, 3000, 900), new TextRequest(0.5, 3000, 900), new TextRequest(1, 1000, 900));
        var search = new GoodputSearch(
                "small", RequestLoad.of(trace, Arrivals.Trace, 1), new Deployment(1, small, StepCosts.LARGE_GPU, 0));

        GoodputRow row = search.row(new ChunkPolicy.Whole(), objectives(50), OptionalDouble.of(2));

        assertThat(row.preempted()).isPositive();
        assertThat(row.refused()).isZero();
    }

    @Test
    void theSameSeedHasTheSameResult() {
        OptionalDouble rate = OptionalDouble.of(4);

        assertThat(azure(7, 1).row(new ChunkPolicy.Fixed(512), objectives(50), rate))
                .isEqualTo(azure(7, 1).row(new ChunkPolicy.Fixed(512), objectives(50), rate))
                .isNotEqualTo(azure(8, 1).row(new ChunkPolicy.Fixed(512), objectives(50), rate));
    }
}
