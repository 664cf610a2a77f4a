package io.knabla.functions.unit.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class ReplicaTotalsTest {
    private static final ReplicaTotals TOTALS =
            new ReplicaTotals(7, 1, 64, 35, 120, 900, new Counters(Map.of("toy_tokens", 42L)));

    /** Kubernetes keeps as much of a container's last output; a message of its own may have twice as much. */
    private static final int KEPT = 2048;

    private static String line(ReplicaTotals totals) {
        return "{" + ReplicaTotalsJson.fields(totals) + "}";
    }

    @Example
    void countersFollowWhatAllReplicasCount() {
        assertThat(line(TOTALS)).isEqualTo("""
                {"succeeded":7,"failed":1,"elements":64,"busyMillis":35,"cpuMillis":120,"residentBytes":900,\
                "counters":{"toy_tokens":42}}""");
    }

    @Example
    void aReplicaWithoutCountersWritesWhatItAlwaysWrote() {
        assertThat(line(new ReplicaTotals(7, 1, 64, 35, 120, 900))).isEqualTo("""
                {"succeeded":7,"failed":1,"elements":64,"busyMillis":35,"cpuMillis":120,"residentBytes":900}""");
    }

    @Property(tries = 200)
    void theyAreReadAsTheyWereWritten(
            @ForAll @LongRange(min = 0, max = Counters.MOST) long number,
            @ForAll @LongRange(min = 0, max = Counters.MOST) long other) {
        ReplicaTotals totals = new ReplicaTotals(
                number, other, number, other, number, other, Counters.of(Map.of("a", number, "b", other)));
        assertThat(ReplicaTotalsJson.read(line(totals))).contains(totals);
    }

    @Example
    void fieldsThatAreMissingOrUnknownDoNotMatter() {
        assertThat(ReplicaTotalsJson.read("{}")).contains(ReplicaTotals.NONE);
        assertThat(ReplicaTotalsJson.read("""
                {"event":"usage","later":{"succeeded":9,"counters":{"a":1}},"list":[{"failed":3}],"succeeded":2}""")).contains(new ReplicaTotals(2, 0, 0, 0, 0, 0));
    }

    @Example
    void whatIsNoTotalIsNone() {
        for (String none : new String[] {"", "hello", "[1]", "7", "{", "{\"succeeded\":3,\"fail", "{\"succeeded\":3"}) {
            assertThat(ReplicaTotalsJson.read(none)).as(none).isEmpty();
        }
    }

    @Example
    void aHostileReplicaIsBounded() {
        String names = IntStream.range(0, 200)
                .mapToObj(i -> "\"n" + "_".repeat(i) + "\":" + Long.MAX_VALUE)
                .collect(Collectors.joining(","));
        String line = """
                {"succeeded":99999999999999999999,"failed":-5,"elements":1e400,"busyMillis":"3","cpuMillis":null,\
                "residentBytes":2.9,"counters":{"A":1,"deep":{"x":[1]},"less":-1,%s}}""".formatted(names);

        ReplicaTotals read = ReplicaTotalsJson.read(line).orElseThrow();
        assertThat(read.counters().byName())
                .hasSize(Counters.MOST_NAMES)
                .containsEntry("n", Counters.MOST)
                .doesNotContainKeys("A", "deep", "less");
        assertThat(read).isEqualTo(new ReplicaTotals(Counters.MOST, 0, Counters.MOST, 0, 0, 2, read.counters()));
    }

    @Example
    void theLongestTotalsFitIntoATerminationMessage() {
        Map<String, Long> counts = IntStream.range(0, Counters.MOST_NAMES)
                .boxed()
                .collect(Collectors.toMap(i -> "x".repeat(39) + (char) ('a' + i), i -> Counters.MOST));
        ReplicaTotals most = new ReplicaTotals(
                Counters.MOST,
                Counters.MOST,
                Counters.MOST,
                Counters.MOST,
                Counters.MOST,
                Counters.MOST,
                new Counters(counts));
        assertThat(most.counters().byName()).hasSize(Counters.MOST_NAMES);
        assertThat(line(most).getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(KEPT);
    }

    @Example
    void runsAddUp() {
        ReplicaTotals other =
                new ReplicaTotals(1, 2, 3, 4, 5, 600, new Counters(Map.of("toy_tokens", Counters.MOST, "steps", 1L)));
        assertThat(TOTALS.plus(other))
                .isEqualTo(new ReplicaTotals(
                        8, 3, 67, 39, 125, 900, new Counters(Map.of("toy_tokens", Counters.MOST, "steps", 1L))));
    }

    @Example
    void workIsOtherWorkIfACounterIsLarger() {
        assertThat(TOTALS.hasSameWork(new ReplicaTotals(7, 1, 64, 35, 999, 1, TOTALS.counters())))
                .isTrue();
        assertThat(TOTALS.hasSameWork(new ReplicaTotals(7, 1, 64, 35, 120, 900)))
                .isFalse();
    }
}
