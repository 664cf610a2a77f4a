package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a replica that is called before its model is loaded, under Knative and behind Knabla's gateway. */
@Timeout(300)
class ColdStartReplicaTest {
    private static final StartPhases PHASES = new StartPhases(OptionalLong.of(1100), 90, 316, 20);
    private static final String COLD = "Knabla-Version: 3\r\nKnabla-Start: cold\r\n";
    private static final String START = "place;dur=1100, fetch;dur=90, boot;dur=316, load;dur=20";
    private static final String DOUBLE =
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,1],\"datatype\":\"FP32\",\"data\":[4]}]}";

    @Test
    void reportsColdStartToWaitingCallersOnly() throws Exception {
        try (var m = RunningReplica.withoutModel(Onnx.dynamic());
                var one = new PendingCall(m.port, "/v2/models/m/infer", DOUBLE);
                var two = new PendingCall(m.port, "/v2/models/m/infer", DOUBLE)) {
            m.replica.serve(m.model(), PHASES);

            for (PendingCall waited : new PendingCall[] {one, two}) {
                assertThat(waited.answer())
                        .startsWith("HTTP/1.1 200")
                        .contains(COLD)
                        .containsPattern(
                                "Server-Timing: queue;dur=\\d+\\.\\d{3}, " + START + ", infer;dur=\\d+\\.\\d{3}\r\n");
            }
            assertThat(m.get("/metrics").body())
                    .contains("knabla_start_phase_milliseconds{model=\"m\",version=\"3\",phase=\"place\"} 1100\n")
                    .contains("knabla_start_phase_milliseconds{model=\"m\",version=\"3\",phase=\"fetch\"} 90\n");
            try (var next = new PendingCall(m.port, "/v2/models/m/infer", DOUBLE)) {
                assertThat(next.answer())
                        .startsWith("HTTP/1.1 200")
                        .contains("Knabla-Version: 3\r\n")
                        .doesNotContain("cold")
                        .containsPattern("Server-Timing: queue;dur=\\d+\\.\\d{3}, infer;dur=\\d+\\.\\d{3}\r\n");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/v2/models/m/infer, 400", "/apply, 200", "/apply, 422"})
    void reportsColdStartOnErrorsAndOtherEndpoints(String path, int status) throws Exception {
        String body = status == 200
                ? "{\"inputs\":{\"x\":{\"shape\":[1,1],\"dtype\":\"float32\",\"data\":{\"buffer\":[[4]],\"encoding\":\"json\"}}}}"
                : "{\"inputs\":7}";
        try (var m = RunningReplica.withoutModel(Onnx.dynamic());
                var caller = new PendingCall(m.port, path, body)) {
            m.replica.serve(m.model(), PHASES);
            assertThat(caller.answer())
                    .startsWith("HTTP/1.1 " + status)
                    .contains(COLD + "Server-Timing: " + START + "\r\n");
        }
    }

    @Test
    void doesNotReportBehindGateway() throws Exception {
        try (var m = RunningReplica.withoutModel(Onnx.dynamic());
                var caller = new PendingCall(m.port, "/v2/models/m/infer", DOUBLE)) {
            m.replica.serve(m.model());
            assertThat(caller.answer())
                    .startsWith("HTTP/1.1 200")
                    .contains("Knabla-Version: 3\r\nServer-Timing: queue;dur=")
                    .doesNotContain("Knabla-Start", "boot;dur");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v2, 200",
        "/v2/health/live, 200",
        "/v2/health/ready, 503",
        "/v2/models/m/ready, 503",
        "/metrics, 200",
        "/v2/models/other, 404",
        "/v2/models/m/infer, 405"
    })
    void everyAnswerSaysTheVersion(String path, int status) throws Exception {
        try (var m = RunningReplica.withoutModel(Onnx.dynamic())) {
            var answer = m.get(path);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().allValues("Knabla-Version")).containsExactly("3");
            assertThat(answer.headers().firstValue("Knabla-Start")).isEmpty();
        }
    }
}
