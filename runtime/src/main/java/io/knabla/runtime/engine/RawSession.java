package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.functions.unit.EngineName;
import io.knabla.functions.unit.Optimization;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Engine session without queue, deadline or tensor pool, to benchmark the engine alone. */
public final class RawSession implements AutoCloseable {
    private final OrtSession session;

    private RawSession(OrtSession session) {
        this.session = session;
    }

    /** @param threads inside one run */
    public static RawSession open(Path graph, int threads) {
        try {
            return new RawSession(Sessions.open(graph, Optimization.FULL, 0, threads, false));
        } catch (OrtException refused) {
            throw EngineException.unloadable(refused);
        }
    }

    /** Computes all outputs and discards them. */
    public void run(List<Tensor> inputs) {
        try {
            Map<String, OnnxTensor> fed = HashMap.newHashMap(inputs.size());
            for (Tensor input : inputs) {
                fed.put(EngineName.of(input.name()), TensorBinding.toOnnx(input));
            }
            session.run(fed).close();
        } catch (OrtException failed) {
            throw EngineException.failed(failed);
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException leaked) {
            throw new IllegalStateException("cannot close the engine's session", leaked);
        }
    }
}
