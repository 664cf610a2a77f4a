package io.knabla.runtime.serve;

import static io.knabla.functions.unit.DataType.FP32;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class ReplicaTest {
    private static final String SIXTEEN = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]";
    private static final String LONG = "{'inputs':[{'name':'trips','shape':[1],'datatype':'INT64','data':[4000000000]},"
            + "{'name':'x','shape':[1],'datatype':'FP32','data':[0]}]}";
    private static final String SHORT = LONG.replace("4000000000", "1");

    @Test
    void sizesThatNobodyNamedNeedNotBeEqual() throws Exception {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "?", "?")
                .output("y", ElementType.FLOAT, "?", "?")
                .node("Relu", List.of("x"), "a")
                .node("Neg", List.of("a"), "y")
                .build();
        try (var m = new RunningReplica(model, RunningReplica.PLAIN)) {
            HttpResponse<String> answer =
                    m.infer("{'inputs':[{'name':'x','shape':[1,3],'datatype':'FP32','data':[1,2,3]}]}");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("\"shape\":[1,3]", "[-1.0,-2.0,-3.0]");
        }
    }

    @Test
    void anOutputMayHaveAnotherShapeThanItsFileSays() throws Exception {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", "length")
                .output("y", ElementType.FLOAT, "n", "length")
                .constant("shape", -1, 2)
                .node("Reshape", List.of("x", "shape"), "y")
                .build();
        try (var m = new RunningReplica(model, RunningReplica.PLAIN)) {
            HttpResponse<String> answer =
                    m.infer("{'inputs':[{'name':'x','shape':[1,4],'datatype':'FP32','data':[1,2,3,4]}]}");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("\"shape\":[2,2]");
        }
    }

    @Test
    void servesTritonsAddSubExample() throws Exception {
        try (var m = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            String input = "{'name':'INPUT%d','shape':[1,16],'datatype':'INT32','data':" + SIXTEEN + "}";
            var both = m.infer("{'id':'q','inputs':["
                    + input.formatted(0)
                    + ","
                    + input.formatted(1)
                    + "],'outputs':[{'name':'OUTPUT1'},{'name':'OUTPUT0'}]}");
            assertThat(both.statusCode()).isEqualTo(200);
            assertThat(both.body())
                    .isEqualTo(("{'model_name':'m','model_version':'3','id':'q','outputs':["
                                    + "{'name':'OUTPUT1','shape':[1,16],'datatype':'INT32','data':[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"
                                    + "{'name':'OUTPUT0','shape':[1,16],'datatype':'INT32','data':[2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32]}]}")
                            .replace('\'', '"'));
            assertThat(both.headers().firstValue("Knabla-Version")).hasValue("3");
            assertThat(both.headers().firstValue("Server-Timing").orElseThrow())
                    .matches("queue;dur=\\d+\\.\\d{3}, infer;dur=\\d+\\.\\d{3}");
            assertThat(m.get("/metrics").body()).contains("nv_inference_request_success{model=\"m\",version=\"3\"} 1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BOOL,BOOL,1", "UINT8,UINT8,1", "UINT16,UINT16,2", "UINT32,UINT32,4", "UINT64,UINT64,8",
        "INT8,INT8,1", "INT16,INT16,2", "INT32,INT32,4", "INT64,INT64,8", "FLOAT16,FP16,2",
        "BFLOAT16,BF16,2", "FLOAT,FP32,4", "DOUBLE,FP64,8"
    })
    void carriesEveryTypeInBinary(ElementType type, String name, int each) throws Exception {
        try (var m = new RunningReplica(TestModels.identity(type), RunningReplica.PLAIN)) {
            byte[] data = new byte[3 * each];
            Arrays.fill(data, (byte) 1);
            String json =
                    "{\"inputs\":[{\"name\":\"x\",\"shape\":[3],\"datatype\":\"%s\",\"parameters\":{\"binary_data_size\":%d}}],\"parameters\":{\"binary_data_output\":true}}"
                            .formatted(name, data.length);
            var body = ByteBuffer.allocate(json.length() + data.length);
            body.put(json.getBytes(StandardCharsets.US_ASCII)).put(data);
            for (int round = 0; round < 3; round++) {
                HttpResponse<byte[]> answer = m.infer(body.array(), json.length());
                assertThat(answer.statusCode()).as(new String(answer.body())).isEqualTo(200);
                assertThat(tail(answer)).isEqualTo(data);
            }
            assertThat(tail(m.infer(data, 0))).isEqualTo(data);
        }
    }

    @Test
    void countsWhatItDid() throws Exception {
        try (var m = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            String input = "{'name':'INPUT%d','shape':[1,16],'datatype':'INT32','data':" + SIXTEEN + "}";
            String request = "{'inputs':[" + input.formatted(0) + "," + input.formatted(1) + "]}";
            String oneOutput = request.replace("]}]}", "]}],'outputs':[{'name':'OUTPUT1'}]}");
            String apply = "{'inputs':{'INPUT0':%1$s,'INPUT1':%1$s}}".formatted("[" + SIXTEEN + "]");
            assertThat(m.infer(request).statusCode()).isEqualTo(200);
            assertThat(m.infer(oneOutput).statusCode()).isEqualTo(200);
            assertThat(m.infer("{}").statusCode()).isEqualTo(400);
            var applied = m.client()
                    .send(m.request("/apply").POST(RunningReplica.body(apply)).build(), BodyHandlers.ofString());
            assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);

            ReplicaTotals usage = m.replica.usage();
            assertThat(usage.succeeded()).isEqualTo(3);
            assertThat(usage.failed()).isZero();
            assertThat(usage.elements()).isEqualTo((32 + 32) + (32 + 16) + (32 + 32));
            assertThat(usage.cpuMillis()).isPositive();
            assertThat(usage.residentBytes()).isGreaterThan(1 << 20);
            assertThat(m.get("/metrics").body())
                    .contains("knabla_tensor_elements_total{model=\"m\",version=\"3\"} 176\n")
                    .containsPattern("knabla_busy_microseconds_total\\{model=\"m\",version=\"3\"} [1-9]\\d*\n")
                    .contains(
                            "knabla_requests_seconds_bucket{model=\"m\",version=\"3\",status=\"2xx\",le=\"60.0\"} 3\n",
                            "knabla_requests_seconds_bucket{model=\"m\",version=\"3\",status=\"2xx\",le=\"+Inf\"} 3\n",
                            "knabla_requests_seconds_count{model=\"m\",version=\"3\",status=\"4xx\"} 1\n")
                    .doesNotContain("status=\"5xx\"")
                    .containsPattern("\nprocess_cpu_seconds_total \\d+\\.\\d+\n")
                    .containsPattern("\nprocess_resident_memory_bytes [1-9]\\d+\n");
        }
    }

    @Test
    void countsItsOwnFailuresAndTheirTime() throws Exception {
        try (var m = new RunningReplica(TestModels.loop(), RunningReplica.settings(1, 5, 300))) {
            assertThat(m.infer(LONG).statusCode()).isEqualTo(504);
            ReplicaTotals usage = m.replica.usage();
            assertThat(usage.failed()).isEqualTo(1);
            assertThat(usage.succeeded() + usage.elements()).isZero();
            assertThat(usage.busyMillis()).isGreaterThanOrEqualTo(300);
        }
    }

    private static byte[] tail(HttpResponse<byte[]> answer) {
        int json = Integer.parseInt(
                answer.headers().firstValue("Inference-Header-Content-Length").orElseThrow());
        return Arrays.copyOfRange(answer.body(), json, answer.body().length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "BOOL|BOOL|[true,false]",
                "UINT8|UINT8|[0,255]",
                "UINT16|UINT16|[0,65535]",
                "UINT32|UINT32|[0,4294967295]",
                "UINT64|UINT64|[0,18446744073709551615]",
                "INT8|INT8|[-128,127]",
                "INT16|INT16|[-32768,32767]",
                "INT32|INT32|[-2147483648,2147483647]",
                "INT64|INT64|[-9223372036854775808,9223372036854775807]",
                "FLOAT|FP32|[0.1,-3.4028235E38]",
                "DOUBLE|FP64|[0.1,1.7976931348623157E308]",
                "STRING|BYTES|[\"\",\"hé\\u0001\"]"
            })
    void carriesEveryTypeInJson(ElementType type, String name, String data) throws Exception {
        try (var m = new RunningReplica(TestModels.identity(type), RunningReplica.PLAIN)) {
            var answer = m.infer("{'inputs':[{'name':'x','shape':[2],'datatype':'" + name + "','data':" + data + "}]}");
            assertThat(answer.body()).contains("\"data\":" + data);
        }
    }

    @Test
    void writesNonFiniteOutputsInQuotes() throws Exception {
        try (var m = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN)) {
            String json =
                    "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":4}}]}";
            var body = ByteBuffer.allocate(json.length() + 4);
            body.put(json.getBytes(StandardCharsets.US_ASCII)).put(new byte[] {0, 0, (byte) 0xc0, 0x7f});
            var answer = m.infer(body.array(), json.length());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(new String(answer.body())).contains("\"data\":[\"NaN\"]");
        }
    }

    @Test
    void batchingKeepsResultsApart() throws Exception {
        var settings = new EngineSettings(2, 1000, Duration.ofSeconds(60), 8, Duration.ofMillis(20), 1);
        try (var m = new RunningReplica(Onnx.dynamic(), settings)) {
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 200; i++) {
                // Every fifth has another length and must not be batched with the rest.
                String data = i % 5 == 0 ? "[" + i + "]" : "[" + i + "," + i + ".5]";
                int length = i % 5 == 0 ? 1 : 2;
                String json =
                        "{'inputs':[{'name':'x','shape':[1," + length + "],'datatype':'FP32','data':" + data + "}]}";
                answers.add(m.client()
                        .sendAsync(
                                m.request("/v2/models/m/infer")
                                        .POST(RunningReplica.body(json))
                                        .build(),
                                BodyHandlers.ofString()));
            }
            for (int i = 0; i < 200; i++) {
                String expected = i % 5 == 0 ? "[" + 2f * i + "]" : "[" + 2f * i + "," + (2f * i + 1) + "]";
                assertThat(answers.get(i).join().body()).contains("\"data\":" + expected + "}");
            }
            assertThat(m.engine().runs()).isLessThan(200);
        }
    }

    @Test
    void stopsRunAtTimeout() throws Exception {
        try (var m = new RunningReplica(TestModels.loop(), RunningReplica.settings(1, 5, 300))) {
            assertThat(m.infer(LONG).statusCode()).isEqualTo(504);
            // The only slot is free again, so the run ended. On a stalled machine a short request may time out, too.
            int status = m.infer(SHORT).statusCode();
            while (status == 504) {
                status = m.infer(SHORT).statusCode();
            }
            assertThat(status).isEqualTo(200);
        }
    }

    @Test
    void rejectsRequestsWhenQueueIsFull() throws Exception {
        String one = "{'inputs':[{'name':'x','shape':[1],'datatype':'FP32','data':[1]}]}";
        var enough = new CompletableFuture<Void>();
        try (var m =
                new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.settings(1, 0, 60_000))) {
            Thread busy = Thread.ofVirtual().start(() -> runUntil(enough, m.engine()));
            try {
                while (m.engine().running() == 0) {
                    Thread.onSpinWait();
                }
                var refused = m.infer(one);
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
                assertThat(m.get("/v2/health/ready").statusCode()).isEqualTo(200);
            } finally {
                enough.complete(null);
                busy.join();
            }
            assertThat(m.infer(one).statusCode()).isEqualTo(200);
        }
    }

    /** Occupies the engine's only slot until {@code enough} completes. */
    private static void runUntil(CompletableFuture<Void> enough, Engine engine) {
        Tensor x = Tensor.numbers("x", FP32, new long[] {1}, ByteBuffer.allocateDirect(4));
        boolean[] all = {true};
        engine.run(Optional.empty(), List.of(x), all, System.nanoTime(), _ -> enough.join());
        x.close();
    }

    @Test
    void drainFinishesAdmittedAndRejectsNewRequests() throws Exception {
        String one = "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1]}]}";
        try (var m = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN);
                var began = new PendingCall(m.port, "/v2/models/m/infer", one)) {
            Thread drain = Thread.ofVirtual().start(m.replica::drain);
            // A request admitted during the drain is still answered, as ready or as stopping.
            HttpResponse<String> late = m.get("/v2/health/ready");
            while (!late.body().contains("is stopping")) {
                late = m.get("/v2/health/ready");
            }
            assertThat(late.statusCode()).isEqualTo(503);
            assertThat(began.answer()).startsWith("HTTP/1.1 200").endsWith("\"data\":[1.0]}]}");
            drain.join();
        }
    }

    @Test
    void answersHealthAndMetadata() throws Exception {
        try (var m = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN)) {
            assertThat(m.get("/v2").body()).contains("\"name\":\"knabla\"").contains("binary_tensor_data");
            assertThat(m.get("/v2/health/live").body()).isEqualTo("{\"ready\":true,\"live\":true}");
            assertThat(m.get("/v2/models/m/versions/3/ready").body()).isEqualTo("{\"name\":\"m\",\"ready\":true}");
            assertThat(m.get("/v2/models/m").body())
                    .isEqualTo(
                            "{\"name\":\"m\",\"versions\":[\"3\"],\"platform\":\"onnxruntime_onnx\",\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1,-1]}],\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[-1,-1]}]}");
            assertThat(m.get("/v2/models/other").body()).contains("Request for unknown model: 'other' is not found");
            for (String path : List.of("/v2/models/other", "/v2/models/m/versions/4", "/v2/models/mm", "/x")) {
                assertThat(m.get(path).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(m.get("/v2/models/m/infer").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void requiresToken() throws Exception {
        try (var m = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN, "secret")) {
            assertThat(m.get("/v2").statusCode()).isEqualTo(403);
            var known =
                    m.request("/v2").header("Knabla-Replica-Token", "secret").build();
            assertThat(m.client().send(known, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void rejectsTooLargeBody() throws Exception {
        try (var m = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN)) {
            assertThat(tooLarge(m).statusCode()).isEqualTo(413);
        }
    }

    private static HttpResponse<String> tooLarge(RunningReplica m) throws Exception {
        while (true) {
            try {
                return m.infer(" ".repeat(RunningReplica.MAX_BODY + 1));
            } catch (IOException cut) {
                // This machine stalled during the body for longer than the server keeps reading after a rejection.
                Thread.onSpinWait();
            }
        }
    }
}
