package io.knabla.baseline;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.FloatBuffer;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Model with one input and one output, loaded when the application starts. */
@ApplicationScoped
public class Model {
    private final String path;
    private OrtSession session;
    private String input;
    private String output;

    Model(@ConfigProperty(name = "baseline.model") String path) {
        this.path = path;
    }

    void load(@Observes StartupEvent started) throws OrtException {
        // One thread per inference and no spinning: best for many small concurrent requests.
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            session = OrtEnvironment.getEnvironment().createSession(path, options);
        }
        input = session.getInputNames().iterator().next();
        output = session.getOutputNames().iterator().next();
    }

    String output() {
        return output;
    }

    /** The values and shape of the model's output. */
    record Answer(long[] shape, FloatBuffer values) {}

    Answer run(FloatBuffer values, long[] shape) throws OrtException {
        try (var tensor = OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), values, shape);
                var results = session.run(Map.of(input, tensor))) {
            var result = (OnnxTensor) results.get(0);
            return new Answer(result.getInfo().getShape(), result.getFloatBuffer());
        }
    }
}
