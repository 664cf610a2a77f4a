package io.knabla.runtime.serve;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends out-of-range indices to the real engine. */
@Timeout(300)
class WrongIndicesTest {
    private static final String TOO_LARGE = "; look for indices that are too large and for too long inputs";

    /** Looks up indices {@code i} of the given shape in five rows of four numbers. */
    private static Onnx lookup(String operator, Object... shape) {
        return new Onnx()
                .input("i", INT64, shape)
                .output("y", FLOAT, "n", 4)
                .weights("rows", 5, 4)
                .node(operator, List.of("rows", "i"), "y");
    }

    private static HttpResponse<String> answer(Onnx model, String shape, String data) throws Exception {
        try (var unit = TestUnit.of(model.build(), "type: Inference\n");
                var replica = new TestReplica(unit)) {
            HttpResponse<String> answer = replica.infer(
                    "{'inputs':[{'name':'i','datatype':'INT64','shape':%s,'data':%s}]}".formatted(shape, data));
            assertThat(replica.get("/v2/health/ready").statusCode()).isEqualTo(200);
            return answer;
        }
    }

    private static void refused(HttpResponse<String> answer, String sentence) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"error\":\"" + sentence + "\"}");
    }

    @ParameterizedTest
    @CsvSource({"5,1", "-6,1", "9000000000,1"})
    void reportsIndexOfEmbedding(String index, int element) throws Exception {
        refused(
                answer(lookup("Gather", "n"), "[2]", "[0," + index + "]"),
                "the inputs ask the model's Gather for the index %s that it does not have; allowed are 0 to 4, or from the end -1 to -5; input 'i' holds it at element %d"
                        .formatted(index, element));
    }

    @Test
    void reportsErrorWithoutIndex() throws Exception {
        refused(
                answer(lookup("GatherND", "n", 1), "[1,1]", "[5]"),
                "the inputs ask the model's GatherND for the index 5 that it does not have; input 'i' holds it at element 0");
        refused(
                answer(lookup("GatherElements", "n", 4), "[1,4]", "[0,0,0,5]"),
                "the inputs ask the model's GatherElements for an index that it does not have" + TOO_LARGE);
    }

    @Test
    void reportsComputedIndex() throws Exception {
        Onnx model = new Onnx()
                .input("i", INT64, "n")
                .output("y", FLOAT, "n", 4)
                .weights("rows", 5, 4)
                .constant("ten", 10)
                .node("Mul", List.of("i", "ten"), "j")
                .node("Gather", List.of("rows", "j"), "y");
        refused(
                answer(model, "[1]", "[2]"),
                "the inputs ask the model's Gather for the index 20 that it does not have; allowed are 0 to 4, or from the end -1 to -5"
                        + TOO_LARGE);
    }

    @Test
    void negativeIndicesCountFromTheEnd() throws Exception {
        assertThat(answer(lookup("Gather", "n"), "[1]", "[-5]").statusCode()).isEqualTo(200);
    }

    @Test
    void otherEngineFailuresStay500() throws Exception {
        Onnx model = new Onnx()
                .input("i", INT64, "n")
                .output("y", INT64, "n")
                .constant("five", 5)
                .node("Div", List.of("five", "i"), "y");
        HttpResponse<String> answer = answer(model, "[1]", "[0]");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
        assertThat(answer.body()).contains("the engine failed on this request");
    }
}
