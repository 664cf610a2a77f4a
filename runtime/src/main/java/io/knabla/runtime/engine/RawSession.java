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
    private final Device device;

    private RawSession(OrtSession session, Device device) {
        this.session = session;
        this.device = device;
    }

    /** @param threads inside one run */
    public static RawSession open(Path graph, int threads) {
        return open(graph, threads, Device.CPU, false);
    }

    /**
     * The same on a device.
     *
     * @param exact whether the device computes with all digits of float32
     */
    public static RawSession open(Path graph, int threads, Device device, boolean exact) {
        try {
            return new RawSession(Sessions.open(graph, Optimization.FULL, 0, threads, exact, device), device);
        } catch (OrtException refused) {
            throw device.unloadable(refused);
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
            throw device.failed(failed, inputs);
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
