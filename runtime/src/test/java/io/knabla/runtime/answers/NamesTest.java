package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.functions.packaging.ModelExport;
import io.knabla.runtime.units.TestUnit;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs, outputs and weights may have any text as a name, whatever the engine's binding can pass on. */
@Timeout(300)
class NamesTest {
    private static final String GRADIENT = """
            type: %s
            gradient:
              loss: {output: "y😀", function: MSE, target: t}
              withRespectTo: [parameters]
            """;

    /** {@code y😀 = x😀 * w😀}, and {@code x😀} as it is. */
    private static ModelProto product() {
        return new Onnx()
                .input("x😀", FLOAT, "n")
                .weights("w😀", 2)
                .output("y😀", FLOAT, "n")
                .output("x😀", FLOAT, "n")
                .node("Mul", List.of("x😀", "w😀"), "y😀")
                .build();
    }

    private static ModelProto negative(String name) {
        return new Onnx()
                .input(name, FLOAT, "n")
                .output("minus " + name, FLOAT, "n")
                .node("Neg", List.of(name), "minus " + name)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"größe", "中文", "😀", "a😀b👩‍👧", "\\u{1f600}", "\\u{5c}", "\\", "{}\\u"})
    void ofInputAndOutput(String name) throws Exception {
        try (var answers = new Answers(negative(name), "")) {
            String json = new ObjectMapper().writeValueAsString(name);
            String request = "{\"inputs\":[{\"name\":" + json + ",\"datatype\":\"FP32\",\"shape\":[1],\"data\":[1]}]}";

            assertThat(Answers.outputs(answers.replica().infer(request.replace('\'', '"'))))
                    .containsExactly("minus " + name + "=[-1.0]");
            JsonNode metadata = new ObjectMapper()
                    .readTree(answers.replica().get("/v2/models/m").body());
            assertThat(metadata.at("/inputs/0/name").asText()).isEqualTo(name);
        }
    }

    @Test
    void withNul() throws Exception {
        try (var answers = new Answers(negative("a\0b"), "")) {
            assertThat(Answers.outputs(answers.replica().infer(Answers.request("a\\u0000b: FP32 [1] [1.0]"))))
                    .containsExactly("minus a\0b=[-1.0]");
        }
    }

    @Test
    void thatWouldBeTheSameForTheEngine() throws Exception {
        ModelProto model = new Onnx()
                .input("😀", FLOAT, "n")
                .input("\\u{1f600}", FLOAT, "n")
                .output("y", FLOAT, "n")
                .node("Sub", List.of("😀", "\\u{1f600}"), "y")
                .build();

        assertThat(Answers.of(model, "😀: FP32 [1] [5.0]", "\\\\u{1f600}: FP32 [1] [3.0]"))
                .containsExactly("y=[2.0]");
    }

    @Test
    void ofGradients() throws Exception {
        try (var answers = new Answers(product(), GRADIENT.formatted("Gradient"))) {
            List<String> outputs = answers.infer("x😀: FP32 [2] [0.0,0.0]", "t: FP32 [2] [0.0,0.0]");

            assertThat(outputs)
                    .extracting(output -> output.replace("-", ""))
                    .containsExactly("loss=[0.0]", "w😀_grad=[0.0,0.0]", "y😀=[0.0,0.0]", "x😀=[0.0,0.0]");
        }
    }

    @Test
    void ofTrainedWeights() throws Exception {
        String spec = GRADIENT.formatted("TrainingStep") + "  optimizer: {type: Momentum, learningRate: 0.1}\n";
        try (var answers = new Answers(product(), spec)) {
            String first = answers.infer("x😀: FP32 [2] [1.0,1.0]", "t: FP32 [2] [0.0,0.0]")
                    .getFirst();
            String second = answers.infer("x😀: FP32 [2] [1.0,1.0]", "t: FP32 [2] [0.0,0.0]")
                    .getFirst();

            assertThat(first).startsWith("loss=[0.00").isNotEqualTo(second);
        }
    }

    @Test
    void areThoseOfTheFileInAnExport() throws Exception {
        try (var unit = TestUnit.of(product(), "");
                var export = ModelExport.of(unit.unit(), Optional.empty(), unit.store())) {
            var bytes = new ByteArrayOutputStream();
            export.writeTo(bytes);

            assertThat(ModelProto.parseFrom(bytes.toByteArray()).getGraph())
                    .isEqualTo(product().getGraph());
        }
    }
}
