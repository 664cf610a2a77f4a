package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.engine.EngineSettings;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Triton's extensions: configuration, statistics, model repository, and parameters of a request. */
class TritonExtensionsTest {
    private static final EngineSettings BATCHED =
            new EngineSettings(2, 100, Duration.ofSeconds(30), 8, Duration.ofMillis(5), 1);

    /** Sums of all numbers of a document by path, without indices. */
    private static Map<String, Long> numbers(String json) throws Exception {
        var sums = new HashMap<String, Long>();
        try (JsonParser in = new JsonFactory().createParser(json)) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_INT) {
                    String path =
                            in.getParsingContext().pathAsPointer().toString().replaceAll("/\\d+", "");
                    sums.merge(path.replace("/model_stats", ""), in.getLongValue(), Long::sum);
                }
            }
        }
        return sums;
    }

    private static String identity(String parameters) {
        return "{'parameters':" + parameters + ",'inputs':[{'name':'x','shape':[1],'datatype':'FP32','data':[1]}]}";
    }

    @Test
    void configurationHasTheBatchDimensionOnlyIfNothingIsBatched() throws Exception {
        try (var m = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN)) {
            assertThat(m.get("/v2/models/m/config").body())
                    .contains("\"max_batch_size\":0", "\"data_type\":\"TYPE_FP32\",\"dims\":[-1,-1]", "\"count\":4")
                    .doesNotContain("dynamic_batching");
        }
        try (var m = new RunningReplica(Onnx.dynamic(), BATCHED)) {
            assertThat(m.get("/v2/models/m/versions/3/config").body())
                    .contains("\"max_batch_size\":8", "\"dims\":[-1]", "\"max_queue_delay_microseconds\":5000");
        }
    }

    @Test
    void statisticsAddUp() throws Exception {
        try (var m = new RunningReplica(Onnx.dynamic(), BATCHED)) {
            assertThat(numbers(m.get("/v2/models/m/stats").body()).values()).containsOnly(0L);
            String two = "{'inputs':[{'name':'x','shape':[3,2],'datatype':'FP32','data':[1,2,3,4,5,6]}]}";
            for (int i = 0; i < 5; i++) {
                assertThat(m.infer(two).statusCode()).isEqualTo(200);
            }
            assertThat(m.infer("{}").statusCode()).isEqualTo(400);
            Map<String, Long> all = numbers(m.get("/v2/models/stats").body());
            assertThat(all)
                    .containsEntry("/inference_count", 15L)
                    .containsEntry("/execution_count", 5L)
                    .containsEntry("/inference_stats/success/count", 5L)
                    .containsEntry("/inference_stats/fail/count", 1L)
                    .containsEntry("/inference_stats/queue/count", 5L)
                    .containsEntry("/batch_stats/batch_size", 3L)
                    .containsEntry("/batch_stats/compute_infer/count", 5L)
                    .containsEntry("/batch_stats/compute_infer/ns", all.get("/inference_stats/compute_infer/ns"));
            assertThat(all.get("/inference_stats/success/ns"))
                    .isEqualTo(all.get("/inference_stats/queue/ns")
                            + all.get("/inference_stats/compute_input/ns")
                            + all.get("/inference_stats/compute_infer/ns")
                            + all.get("/inference_stats/compute_output/ns"));
            assertThat(all).allSatisfy((name, value) -> assertThat(value).isNotNegative());
        }
    }

    @Test
    void loadIsAnsweredOnceTheModelIsLoaded() throws Exception {
        try (var m = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN)) {
            HttpResponse<String> loaded = m.client()
                    .send(
                            m.request("/v2/repository/models/m/load")
                                    .POST(BodyPublishers.ofString("{}"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(loaded.statusCode()).isEqualTo(200);
            assertThat(loaded.body()).isEqualTo("{}");
            assertThat(m.get("/v2/repository/models/m/load").statusCode()).isEqualTo(405);
            assertThat(m.get("/v2/repository/models/other/load").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~                                               | 200 | {}",
                "{'parameters':null}                              | 200 | {}",
                "{'parameters':{'config':null,'novel':[1]}}       | 200 | {}",
                "{'parameters':{'config':'{}'}}                   | 501 | the parameter 'config' of load is not supported",
                "{'x':1,'parameters':{'a':1,'file:1/m.onnx':''}}  | 501 | the parameter 'file:1/m.onnx' of load is not supported",
                "{'parameters':7}                                 | 400 | expected '{' at the start of parameters",
                "{} x                                             | 400 | expected the end of the JSON"
            })
    void loadRefusesAnotherModel(String body, int status, String sentence) throws Exception {
        try (var m = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN)) {
            HttpResponse<String> answer = m.client()
                    .send(
                            m.request("/v2/repository/models/m/load")
                                    .POST(RunningReplica.body(body))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(answer.body()).contains(sentence);
            assertThat(answer.statusCode()).isEqualTo(status);
        }
    }

    @Test
    void aRequestMayHaveAShorterTimeout() throws Exception {
        try (var m = new RunningReplica(TestModels.loop(), RunningReplica.PLAIN)) {
            String endless =
                    "{'parameters':{'timeout':20000},'inputs':[{'name':'trips','shape':[1],'datatype':'INT64','data':[1000000000000]},{'name':'x','shape':[1],'datatype':'FP32','data':[0]}]}";
            HttpResponse<String> late = m.infer(endless);
            assertThat(late.statusCode()).isEqualTo(504);
            assertThat(late.body()).contains("within its own timeout of 20000 µs (parameter timeout)");
            assertThat(m.infer(endless.replace("1000000000000", "3")).statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'timeout':0,'priority':0,'other':[1]} | 200 | data",
                "{'timeout':60000000}                   | 200 | data",
                "{'timeout':1}                          | 504 | its own timeout of 1 µs (parameter timeout)",
                "{'timeout':-1}                         | 400 | the parameter timeout is -1",
                "{'timeout':0.5}                        | 400 | error",
                "{'timeout':'1s'}                       | 400 | error",
                "{'priority':2}                         | 501 | the parameter priority is not supported"
            },
            quoteCharacter = '~')
    void parametersAreHonouredOrRefused(String parameters, int status, String part) throws Exception {
        try (var m = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN)) {
            HttpResponse<String> answer = m.infer(identity(parameters));
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.body()).contains(part);
        }
    }
}
