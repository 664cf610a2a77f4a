package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.knabla.runtime.benchmark.TinyModel;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A process that adds ONNX Runtime's CUDA provider to a session without looking for NVIDIA's libraries before, prints
 * the kind of failure and its sentence, and then computes on the CPU. Arguments: the operator of its model, then names
 * and values of entries of the session's configuration.
 */
public final class BareProvider {
    private BareProvider() {}

    public static void main(String[] arguments) throws OrtException {
        CudaLibraries.of(System.getenv()).loadEngine();
        byte[] model = TinyModel.unary(arguments[0]);
        try (var options = new SessionOptions()) {
            for (int i = 1; i < arguments.length; i += 2) {
                options.addConfigEntry(arguments[i], arguments[i + 1]);
            }
            CudaProvider.add(options, Map.of("device_id", "0"));
            Sessions.environment().createSession(model, options).close();
            System.out.println("no failure");
        } catch (OrtException failed) {
            CudaFailure failure = CudaFailure.parse(failed.getMessage()).orElseThrow(() -> new AssertionError(failed));
            System.out.println(failure.kind() + ": " + failure.sentence(OptionalLong.empty()));
        }
        runOnCpu(model);
        Runtime.getRuntime().halt(0);
    }

    private static void runOnCpu(byte[] model) throws OrtException {
        float[][] rows = {{1, 1, 1, 1}};
        try (var options = new SessionOptions();
                OrtSession session = Sessions.environment().createSession(model, options);
                var input = OnnxTensor.createTensor(
                        Sessions.environment(), FloatBuffer.wrap(rows[0]), new long[] {1, rows[0].length});
                var result = session.run(Map.of("a", input))) {
            System.out.println("on the CPU: " + ((float[][]) result.get(0).getValue())[0].length);
        }
    }
}
