package io.knabla.bench.model;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Map;

/** ONNX Runtime session without a server: the upper bound for any server of the model. */
public final class Engine implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;

    public Engine(Path model) throws OrtException {
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            session = environment.createSession(model.toString(), options);
        }
    }

    /** Allocates new tensors for each run, as a server does for each request. */
    public float[] run(float[] input) throws OrtException {
        long[] shape = {1, input.length};
        try (var tensor = OnnxTensor.createTensor(environment, FloatBuffer.wrap(input), shape);
                var results = session.run(Map.of(Mlp.INPUT, tensor))) {
            FloatBuffer values = ((OnnxTensor) results.get(0)).getFloatBuffer();
            float[] answer = new float[values.remaining()];
            values.get(answer);
            return answer;
        }
    }

    @Override
    public void close() throws OrtException {
        session.close();
    }
}
