package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.generation.DecoderShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the graph of a decoder on keys and values in the caller's memory. Used by one thread at a time.
 *
 * <p>Weights are always prepacked: without it a step with 4-bit weights takes 25 times as long.
 */
public final class DecoderSession implements AutoCloseable {
    private final OrtSession session;
    private final DecoderShape shape;

    private DecoderSession(OrtSession session, DecoderShape shape) {
        this.session = session;
        this.shape = shape;
    }

    /**
     * @param threads inside one run
     * @throws EngineException if the engine cannot load the graph
     */
    public static DecoderSession open(Path graph, DecoderShape shape, int threads) {
        try {
            // Lean: a memory pattern for each length of a prompt would never be used again.
            return new DecoderSession(Sessions.open(graph, Optimization.FULL, 0, threads, true), shape);
        } catch (OrtException refused) {
            throw EngineException.unloadable(refused);
        }
    }

    /**
     * Binds the memory of adjacent sequences for any number of runs.
     *
     * @param buffers direct ones, of keys and values of each layer in turn, each [sequences, kvHeads, positions,
     *     headWidth] numbers of the shape's type
     */
    public KeyValueWindow bind(List<ByteBuffer> buffers, int sequences, int positions) {
        try {
            return new KeyValueWindow(shape, buffers, sequences, positions);
        } catch (OrtException failed) {
            throw EngineException.failed(failed);
        }
    }

    /**
     * Appends the tokens' keys and values to the window, and computes the wanted logits.
     *
     * @param logits direct, with room for [logitRows, vocabulary] 32-bit numbers
     * @throws EngineException if the engine fails
     */
    public void run(DecoderInputs inputs, KeyValueWindow window, ByteBuffer logits) {
        Map<String, OnnxTensorLike> own = new HashMap<>();
        try {
            putInputs(inputs, own);
            run(inputs, own, window, logits);
        } catch (OrtException failed) {
            throw EngineException.failed(failed);
        } finally {
            own.values().forEach(OnnxTensorLike::close);
        }
    }

    private void putInputs(DecoderInputs inputs, Map<String, OnnxTensorLike> into) throws OrtException {
        int sequences = inputs.sequences();
        long[] tokens = inputs.tokens();
        long[] rows = inputs.logitRows();
        into.put("input_ids", tensor(tokens, sequences, tokens.length / sequences));
        into.put("seqlens_k", tensor(inputs.lastPositions(), sequences));
        into.put("total_sequence_length", tensor(new int[] {inputs.longest()}));
        into.put("logit_rows", tensor(rows, rows.length));
    }

    private void run(DecoderInputs inputs, Map<String, OnnxTensorLike> own, KeyValueWindow window, ByteBuffer logits)
            throws OrtException {
        Map<String, OnnxTensorLike> fed = new HashMap<>(window.past());
        fed.putAll(own);
        int rows = inputs.logitRows().length;
        if (rows == 0) {
            session.run(fed, window.present()).close();
            return;
        }
        Map<String, OnnxValue> computed = new HashMap<>(window.present());
        try (OnnxTensor out = logits(logits, rows)) {
            computed.put("logits", out);
            session.run(fed, computed).close();
        }
    }

    private OnnxTensor logits(ByteBuffer memory, int rows) throws OrtException {
        int bytes = Math.multiplyExact(Math.multiplyExact(rows, shape.vocabulary()), Float.BYTES);
        return OnnxTensor.createTensor(
                environment(),
                memory.slice(0, bytes).order(ByteOrder.nativeOrder()).asFloatBuffer(),
                new long[] {rows, shape.vocabulary()});
    }

    private static OnnxTensor tensor(long[] values, long... sizes) throws OrtException {
        return OnnxTensor.createTensor(environment(), LongBuffer.wrap(values), sizes);
    }

    private static OnnxTensor tensor(int[] values, long... sizes) throws OrtException {
        return OnnxTensor.createTensor(environment(), IntBuffer.wrap(values), sizes);
    }

    private static OrtEnvironment environment() {
        return Sessions.environment();
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
