package io.knabla.functions.compiler.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the predicted execution order with ONNX Runtime's own profile. */
class EngineOrderTest {
    private static final int NODES = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isWhatTheEngineDoes(long seed, @TempDir Path folder) throws Exception {
        var random = new Random(seed);
        var sources = new ArrayList<int[]>();
        for (int i = 0; i < NODES; i++) {
            int reach = i;
            int count = i == 0 ? 0 : random.nextInt(Math.min(4, i + 1));
            sources.add(
                    IntStream.range(0, count).map(_ -> random.nextInt(reach)).toArray());
        }

        assertThat(EngineOrder.of(sources)).containsExactly(profiled(model(sources), folder));
    }

    /** Every node sums the input and its sources and is a result, so the engine removes none. */
    private static ModelProto model(List<int[]> sources) {
        var onnx = new Onnx().input("x", ElementType.FLOAT, 1);
        for (int i = 0; i < sources.size(); i++) {
            var inputs = new ArrayList<String>(List.of("x"));
            IntStream.of(sources.get(i)).forEach(source -> inputs.add("y" + source));
            onnx.node("Sum", inputs, "y" + i).output("y" + i, ElementType.FLOAT, 1);
        }
        return onnx.build();
    }

    private static int[] profiled(ModelProto model, Path folder) throws OrtException, IOException {
        var environment = OrtEnvironment.getEnvironment();
        String profile;
        try (var options = new OrtSession.SessionOptions()) {
            options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
            options.enableProfiling(folder.resolve("profile").toString());
            try (var session = environment.createSession(model.toByteArray(), options);
                    var x = OnnxTensor.createTensor(environment, new float[] {1})) {
                session.run(Map.of("x", x)).close();
                profile = session.endProfiling();
            }
        }
        var order = IntStream.builder();
        for (JsonNode event : new ObjectMapper().readTree(Files.readString(Path.of(profile)))) {
            if (event.path("name").asText().endsWith("_kernel_time")) {
                order.add(event.path("args").path("node_index").asInt());
            }
        }
        return order.build().toArray();
    }
}
