package io.knabla.runtime.answers;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** A deployed model and what it answers, in short forms: {@code x: FP32 [2] [1.5, -2]} stands for an input. */
final class Answers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestUnit unit;
    private final TestReplica replica;

    /** @param spec of function.yaml, besides the model */
    Answers(ModelProto model, String spec) throws Exception {
        unit = TestUnit.of(model, spec);
        replica = new TestReplica(unit, EngineSettings.DEFAULTS, TestReplica.state(unit));
    }

    /**
     * The outputs of a model in its order, such as {@code y=[1.5,0.0]}; the same for the second call as for the first.
     */
    static List<String> of(ModelProto model, String... inputs) throws Exception {
        try (var answers = new Answers(model, "")) {
            List<String> first = answers.infer(inputs);
            assertThat(answers.infer(inputs)).isEqualTo(first);
            return first;
        }
    }

    TestReplica replica() {
        return replica;
    }

    List<String> infer(String... inputs) throws Exception {
        return outputs(replica.infer(request(inputs)));
    }

    static List<String> outputs(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var outputs = new ArrayList<String>();
        for (JsonNode output : JSON.readTree(answer.body()).path("outputs")) {
            outputs.add(output.path("name").asText() + "=" + output.path("data"));
        }
        return outputs;
    }

    static String request(String... inputs) {
        var all = new ArrayList<String>();
        for (String input : inputs) {
            String[] parts = input.split(" ", 4);
            all.add("{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"data\":%s}"
                    .formatted(parts[0].substring(0, parts[0].length() - 1), parts[1], parts[2], parts[3]));
        }
        return "{\"inputs\":[" + String.join(",", all) + "]}";
    }

    @Override
    public void close() throws IOException {
        replica.close();
        unit.close();
    }
}
