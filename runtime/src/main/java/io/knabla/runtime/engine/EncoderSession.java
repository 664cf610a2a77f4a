package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.functions.unit.Optimization;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the graph of an encoder. Used by one thread at a time.
 *
 * <p>Weights are always prepacked: texts of a batch are many rows, for which products without it take half as long
 * again.
 */
public final class EncoderSession implements AutoCloseable {
    private static final String TYPES = "token_type_ids";
    private static final String LEFT_OUT = "left_out";

    private final OrtSession session;
    private final boolean typed;
    private final boolean leavesOut;

    private EncoderSession(OrtSession session) {
        this.session = session;
        this.typed = session.getInputNames().contains(TYPES);
        this.leavesOut = session.getInputNames().contains(LEFT_OUT);
    }

    /**
     * @param threads inside one run
     * @throws EngineException if the engine cannot load the graph
     */
    public static EncoderSession open(Path graph, int threads) {
        try {
            // Lean: batches have many shapes, and a memory pattern is for one.
            return new EncoderSession(Sessions.open(graph, Optimization.FULL, 0, threads, true));
        } catch (OrtException refused) {
            throw EngineException.unloadable(refused);
        }
    }

    /**
     * The graph's output: [texts, width].
     *
     * @throws EngineException if the engine fails
     */
    public float[] run(TokenBatch batch) {
        Map<String, OnnxTensorLike> inputs = new HashMap<>();
        try {
            putInputs(batch, inputs);
            try (OrtSession.Result result = session.run(inputs)) {
                var output = (OnnxTensor) result.get(0);
                float[] rows = new float[Math.toIntExact(output.getInfo().getNumElements())];
                output.getFloatBuffer().get(rows);
                return rows;
            }
        } catch (OrtException failed) {
            throw EngineException.failed(failed);
        } finally {
            inputs.values().forEach(OnnxTensorLike::close);
        }
    }

    private void putInputs(TokenBatch batch, Map<String, OnnxTensorLike> into) throws OrtException {
        long[] shape = {batch.texts(), batch.longest()};
        into.put("input_ids", tensor(batch.ids(), shape));
        if (typed) {
            into.put(TYPES, tensor(batch.types(), shape));
        }
        into.put("lengths", tensor(batch.lengths()));
        if (leavesOut) {
            into.put(LEFT_OUT, tensor(batch.leftOut()));
        }
    }

    private static OnnxTensor tensor(int[] values) throws OrtException {
        return OnnxTensor.createTensor(Sessions.environment(), IntBuffer.wrap(values), new long[] {values.length});
    }

    private static OnnxTensor tensor(long[] values, long... shape) throws OrtException {
        return OnnxTensor.createTensor(Sessions.environment(), LongBuffer.wrap(values), shape);
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
