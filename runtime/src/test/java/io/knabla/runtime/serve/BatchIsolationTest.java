package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.engine.EngineSettings;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that one bad request in a batch does not affect the others. */
@Timeout(300)
class BatchIsolationTest {
    private static final int BATCH = 4;

    /** A batch runs only when full, which makes its members deterministic. */
    private static final EngineSettings FULL =
            new EngineSettings(1, 100, Duration.ofMinutes(2), BATCH, Duration.ofMinutes(1), 1);

    private static CompletableFuture<HttpResponse<String>> pick(RunningReplica m, int index) {
        String json = "{'inputs':[{'name':'i','shape':[1,1],'datatype':'INT64','data':[%d]}]}".formatted(index);
        return m.client()
                .sendAsync(
                        m.request("/v2/models/m/infer")
                                .POST(RunningReplica.body(json))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void badRequestInBatchFailsAlone() throws Exception {
        try (var m = new RunningReplica(TestModels.pick(10, 11, 12, 13), FULL)) {
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int index : new int[] {0, 99, 2, 3}) {
                answers.add(pick(m, index));
            }
            for (int at : new int[] {0, 2, 3}) {
                var good = answers.get(at).join();
                assertThat(good.statusCode()).as(good.body()).isEqualTo(200);
                assertThat(good.body()).contains("\"data\":[" + (10 + at) + "]}");
            }
            var bad = answers.get(1).join();
            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(bad.body()).contains("Gather for the index 99 that it does not have");
            // One failed joined run, then one run for each request.
            assertThat(m.engine().runs()).isEqualTo(1 + BATCH);
        }
    }

    @Test
    void fullBatchIsOneRun() throws Exception {
        try (var m = new RunningReplica(TestModels.pick(10, 11, 12, 13), FULL)) {
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int index = 0; index < BATCH; index++) {
                answers.add(pick(m, index));
            }
            for (int index = 0; index < BATCH; index++) {
                assertThat(answers.get(index).join().body()).contains("\"data\":[" + (10 + index) + "]}");
            }
            assertThat(m.engine().runs()).isEqualTo(1);
        }
    }
}
