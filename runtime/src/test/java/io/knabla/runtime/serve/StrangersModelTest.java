package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Serves files that skl2onnx and onnxmltools wrote with their default options (see bench's strangers.py). */
@Timeout(300)
class StrangersModelTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROWS =
            "{'name':'X','datatype':'FP32','shape':[2,4],'data':[1.5,-0.3,0.2,0.7,-2.0,-1.0,0.4,0.1]}";

    private static RunningReplica serving(String file) throws IOException {
        try (InputStream bytes = StrangersModelTest.class.getResourceAsStream("/strangers/" + file)) {
            return new RunningReplica(ModelProto.parseFrom(bytes), RunningReplica.PLAIN);
        }
    }

    private static JsonNode outputs(RunningReplica replica, String input) throws Exception {
        HttpResponse<String> answer = replica.infer("{'inputs':[" + input + "]}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).path("outputs");
    }

    /** Each label must be the name of the class with the highest score, and the scores of a row add up to one. */
    private static void labelsFollowScores(JsonNode labels, JsonNode scores, JsonNode names) {
        int classes = names.size();
        assertThat(classes).isEqualTo(scores.path("shape").get(1).asInt()).isGreaterThan(1);
        for (int row = 0; row < labels.path("data").size(); row++) {
            int best = 0;
            double sum = 0;
            for (int i = 0; i < classes; i++) {
                double score = scores.path("data").get(row * classes + i).asDouble();
                sum += score;
                best = score > scores.path("data").get(row * classes + best).asDouble() ? i : best;
            }
            assertThat(sum).isCloseTo(1, within(1e-5));
            assertThat(labels.path("data").get(row)).isEqualTo(names.get(best));
        }
    }

    private static JsonNode names(RunningReplica replica) throws Exception {
        return JSON.readTree(replica.get("/v2/models/m").body()).at("/outputs/1/parameters/class_names");
    }

    @Test
    void answersLabelsOfTextAndScores() throws Exception {
        try (var replica = serving("sklearn-string-labels.onnx")) {
            JsonNode outputs = outputs(replica, ROWS);

            assertThat(outputs.get(0).path("datatype").asText()).isEqualTo("BYTES");
            assertThat(outputs.get(1).path("name").asText()).isEqualTo("output_probability");
            assertThat(names(replica)).isEqualTo(JSON.readTree("[\"setosa\",\"versicolor\",\"virginica\"]"));
            labelsFollowScores(outputs.get(0), outputs.get(1), names(replica));
        }
    }

    @Test
    void answersLabelsOfTextInBinary() throws Exception {
        byte[] head = ("{\"inputs\":[" + ROWS.replace('\'', '"') + "],\"parameters\":{\"binary_data_output\":true}}")
                .getBytes(StandardCharsets.UTF_8);
        try (var replica = serving("sklearn-string-labels.onnx")) {
            String label = outputs(replica, ROWS).get(0).path("data").get(0).asText();

            HttpResponse<byte[]> answer = replica.infer(head, head.length);

            int json = Integer.parseInt(answer.headers()
                    .firstValue("Inference-Header-Content-Length")
                    .orElseThrow());
            ByteBuffer binary = ByteBuffer.wrap(answer.body()).order(ByteOrder.LITTLE_ENDIAN);
            int size = binary.getInt(json);
            byte[] text = Arrays.copyOfRange(answer.body(), json + Integer.BYTES, json + Integer.BYTES + size);
            assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo(label);
        }
    }

    @Test
    void answersLightGbm() throws Exception {
        try (var replica = serving("lightgbm-binary.onnx")) {
            JsonNode outputs = outputs(replica, ROWS);

            assertThat(outputs.get(0).path("datatype").asText()).isEqualTo("INT64");
            assertThat(names(replica)).isEqualTo(JSON.readTree("[0,1]"));
            labelsFollowScores(outputs.get(0), outputs.get(1), names(replica));
        }
    }

    @Test
    void namesALocaleThatThisMachineLacks() {
        ModelProto model = new Onnx()
                .input("x", ElementType.STRING, "n")
                .output("y", ElementType.STRING, "n")
                .node(
                        "StringNormalizer",
                        List.of("x"),
                        "y",
                        Onnx.text("locale", "xx_XX.UTF-8"),
                        Onnx.text("case_change_action", "LOWER"))
                .build();
        assertThatThrownBy(() -> new RunningReplica(model, RunningReplica.PLAIN))
                .hasMessageContaining("needs the locale xx_XX.UTF-8")
                .hasMessageContaining("locale-gen xx_XX.UTF-8");
    }

    /** The file asks for the locale en_US, which this machine may lack. */
    @Test
    void answersAboutTexts() throws Exception {
        try (var replica = serving("sklearn-tf-idf.onnx")) {
            String texts = "{'name':'text','datatype':'BYTES','shape':[2,1],'data':['QUICK FOX','sleep DOGS']}";
            JsonNode outputs = outputs(replica, texts);
            JsonNode lower =
                    outputs(replica, texts.replace("QUICK FOX", "quick fox").replace("DOGS", "dogs"));

            assertThat(outputs).isEqualTo(lower);
            labelsFollowScores(outputs.get(0), outputs.get(1), names(replica));
        }
    }
}
