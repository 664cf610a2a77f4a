package io.knabla.functions.compiler.optimize;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.compiler.interpreter.NdArray;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Profiles which operators ONNX Runtime runs after all its optimisations. */
public final class EngineProfile {
    private EngineProfile() {}

    /** Operators in execution order; all inputs are float32. */
    public static List<String> operators(ModelProto model, Map<String, NdArray> feeds, Path folder)
            throws OrtException, IOException {
        var environment = OrtEnvironment.getEnvironment();
        var tensors = new HashMap<String, OnnxTensor>();
        String profile;
        try (var options = new OrtSession.SessionOptions()) {
            options.enableProfiling(folder.resolve("profile").toString());
            try (var session = environment.createSession(model.toByteArray(), options)) {
                for (Map.Entry<String, NdArray> feed : feeds.entrySet()) {
                    tensors.put(feed.getKey(), tensor(environment, feed.getValue()));
                }
                session.run(tensors).close();
                profile = session.endProfiling();
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
        var operators = new ArrayList<String>();
        for (JsonNode event : new ObjectMapper().readTree(Files.readString(Path.of(profile)))) {
            if (event.path("name").asText().endsWith("_kernel_time")) {
                operators.add(event.path("args").path("op_name").asText());
            }
        }
        return operators;
    }

    private static OnnxTensor tensor(OrtEnvironment environment, NdArray array) throws OrtException {
        float[] values = new float[array.reals().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) array.real(i);
        }
        long[] dims = java.util.Arrays.stream(array.dims()).asLongStream().toArray();
        return OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), dims);
    }
}
