package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.engine.EngineSettings;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a replica with a stuck run is not live, and that a busy one is. */
@Timeout(300)
class LivenessTest {
    private static final EngineSettings ONE_RUN = RunningReplica.settings(1, 10, 300);

    @Test
    void isNotLiveWhileARunGoesOnLongAfterItWasToldToStop() throws Exception {
        try (var m = RunningReplica.notLiveAfter(Duration.ofMillis(50), TestModels.oneLongOperator(), ONE_RUN)) {
            HttpResponse<String> live = lastWhileItRuns(m, 4500);
            if (live.statusCode() == 200) {
                // A fast machine was through before a busy one asked: eight times the work.
                live = lastWhileItRuns(m, 9000);
            }

            assertThat(live.statusCode()).isEqualTo(503);
            assertThat(live.body()).isEqualTo("{\"ready\":true,\"live\":false}");
            assertThat(m.get("/v2/health/live").statusCode()).isEqualTo(200);
        }
    }

    /** Asks until the replica is not live, or the run is over; then awaits the run's end. */
    private static HttpResponse<String> lastWhileItRuns(RunningReplica m, int rows) throws Exception {
        CompletableFuture<HttpResponse<String>> stuck = start(m, rows);
        HttpResponse<String> live = m.get("/v2/health/live");
        while (live.statusCode() == 200 && !stuck.isDone()) {
            live = m.get("/v2/health/live");
        }
        stuck.join();
        return live;
    }

    @Test
    void isLiveWhileARunIsOnlyBusy() throws Exception {
        EngineSettings patient = RunningReplica.settings(1, 10, 120_000);
        try (var m = RunningReplica.notLiveAfter(Duration.ZERO, TestModels.oneLongOperator(), patient)) {
            CompletableFuture<HttpResponse<String>> busy = start(m, 1500);
            while (!busy.isDone()) {
                assertThat(m.get("/v2/health/live").statusCode()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 30", "30, 30", "31, 31", "600, 600"})
    void aRunIsStuckAfterAnotherTimeoutButNotBeforeHalfAMinute(long timeout, long stuckAfter) {
        assertThat(ReplicaSettings.of("m", "1", "", 1, Duration.ofSeconds(timeout))
                        .stuckAfter())
                .hasSeconds(stuckAfter);
    }

    private static CompletableFuture<HttpResponse<String>> start(RunningReplica m, int rows) {
        String body =
                "{'inputs':[{'name':'shape','shape':[2],'datatype':'INT64','data':[%d,%d]}]}".formatted(rows, rows);
        return m.client()
                .sendAsync(
                        m.request("/v2/models/m/infer")
                                .POST(RunningReplica.body(body))
                                .build(),
                        BodyHandlers.ofString());
    }
}
