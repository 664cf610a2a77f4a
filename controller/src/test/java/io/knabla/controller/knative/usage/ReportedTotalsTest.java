package io.knabla.controller.knative.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportedTotalsTest {
    private static final String METRICS = """
            # HELP nv_inference_request_success Number of successful inference requests
            # TYPE nv_inference_request_success counter
            nv_inference_request_success{model="digits",version="3"} 12
            nv_inference_request_failure{model="digits",version="3",reason="REJECTED"} 1
            nv_inference_request_failure{model="digits",version="3",reason="CANCELED"} 2
            nv_inference_request_failure{model="digits",version="3",reason="BACKEND"} 3
            nv_inference_request_failure{model="digits",version="3",reason="OTHER"} 100
            knabla_tensor_elements_total{model="digits",version="3"} 9500
            knabla_busy_microseconds_total{model="digits",version="3"} 1234567
            process_cpu_seconds_total 3.25
            process_resident_memory_bytes 1.5E+8
            knabla_running_request_count{model="digits",version="3"} NaN
            """;

    @Test
    void metricsAreReadWithoutTheFailuresOfCallersAndWithoutRefusals() {
        assertThat(ReportedTotals.ofMetrics(METRICS)).contains(new ReplicaTotals(12, 5, 9500, 1234, 3250, 150_000_000));
    }

    @Test
    void countersAreReadByTheirNamesAndBounded() {
        String counted = """
                knabla_work_total{model="digits",version="3",counter="toy_tokens"} 40
                knabla_work_total{model="counter=\"other\"",version="3",counter="toy_tokens"} 2
                knabla_work_total{model="digits",version="3",counter="most"} 9e18
                knabla_work_total{model="digits",version="3",counter="most"} +Inf
                knabla_work_total{model="digits",version="3",counter="most"} 1e300
                knabla_work_total{model="digits",version="3",counter="nothing"} NaN
                knabla_work_total{model="digits",version="3",counter="less"} -3
                knabla_work_total{model="digits",version="3",counter="Not a name"} 3
                knabla_work_total{model="digits",version="3"} 3
                knabla_work_total 3
                """;
        assertThat(ReportedTotals.ofMetrics(METRICS + counted).orElseThrow().counters())
                .isEqualTo(new Counters(Map.of("toy_tokens", 42L, "most", Counters.MOST)));
    }

    @Test
    void anOlderReplicaCountsLess() {
        assertThat(ReportedTotals.ofMetrics("nv_inference_request_success{model=\"digits\"} 12\n"))
                .contains(new ReplicaTotals(12, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"0.75, 0.75", "1.0E-5, 1.0E-5", "3, 3", "-2, 0"})
    void theUtilizationIsReadOfModelsThatReportOne(String value, double read) {
        String series = "knabla_generation_utilization_ratio{model=\"m\",version=\"1\"} ";

        assertThat(ReportedTotals.utilization(METRICS)).isEmpty();
        assertThat(ReportedTotals.utilization(METRICS + series + "NaN\n")).isEmpty();
        assertThat(ReportedTotals.utilization(METRICS + series + value + "\n")).hasValue(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "go_goroutines 7\n", "{}"})
    void whatIsNoReplicaHasNoTotals(String text) {
        assertThat(ReportedTotals.ofMetrics(text)).isEmpty();
        assertThat(ReportedTotals.ofMessage(text)).isEmpty();
    }

    @Test
    void theLastTotalsOfAMessageCountAndACutLineDoesNot() {
        String message = """
                ns":3,"busyMillis":1}
                {"event":"usage","succeeded":1,"failed":0,"elements":10,"busyMillis":5,"cpuMillis":7,"residentBytes":9}
                {"event":"usage","succeeded":2,"failed":0,"elements":20,"busyMillis":6,"cpuMillis":8,"residentBytes":9}
                replica failed: out of memory
                {"event":"usage","succeeded":3,"failed":0,"elements":30,"busyMillis":6,"cpu""";

        assertThat(ReportedTotals.ofMessage(message)).isEqualTo(Optional.of(new ReplicaTotals(2, 0, 20, 6, 8, 9)));
    }

    @ParameterizedTest
    @CsvSource({
        "1e999999999, 9007199254740992",
        "-1e999999999, 0",
        "1e-999999999, 0",
        "99999999999999999999, 9007199254740992",
        "Infinity, 9007199254740992",
        "+Inf, 0"
    })
    void aNumberOfAHostileReplicaIsBounded(String number, long counted) {
        String metrics = "nv_inference_request_success{model=\"digits\"} %s\nnv_inference_request_success 0.5\n"
                + "knabla_tensor_elements_total " + "9".repeat(100_000) + "\n";

        assertThat(ReportedTotals.ofMetrics(metrics.formatted(number)))
                .contains(new ReplicaTotals(counted, 0, Counters.MOST, 0, 0, 0));
    }

    @Test
    void theSumOfHostileRunsDoesNotOverflow() {
        String message = "{\"succeeded\":%1$d,\"failed\":-7,\"busyMillis\":%1$d}".formatted(Long.MAX_VALUE);
        ReplicaTotals run = ReportedTotals.ofMessage(message).orElseThrow();

        assertThat(run.plus(run)).isEqualTo(new ReplicaTotals(Counters.MOST, 0, 0, Counters.MOST, 0, 0));
    }

    @Property
    void aMessageIsReadAsItWasWritten(
            @ForAll @LongRange(min = 0, max = Counters.MOST) long succeeded,
            @ForAll @LongRange(min = 0, max = Counters.MOST) long busy,
            @ForAll @LongRange(min = 0, max = Counters.MOST) long bytes) {
        String message =
                "{\"succeeded\":%d,\"failed\":4,\"elements\":5,\"busyMillis\":%d,\"cpuMillis\":6,\"residentBytes\":%d}"
                        .formatted(succeeded, busy, bytes);

        assertThat(ReportedTotals.ofMessage(message)).contains(new ReplicaTotals(succeeded, 4, 5, busy, 6, bytes));
    }
}
