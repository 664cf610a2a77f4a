package io.knabla.functions.decoder;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.functions.decoder.config.DecoderConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a written decoder greedily, with several sequences in a batch. */
final class TestDecoder implements AutoCloseable {
    private static final OrtEnvironment ENGINE = OrtEnvironment.getEnvironment();

    private final DecoderConfig config;
    private final int positions;
    private final OrtSession session;

    TestDecoder(Path graph, DecoderConfig config, int positions) throws OrtException {
        this.config = config;
        this.positions = positions;
        try (var options = new OrtSession.SessionOptions()) {
            this.session = ENGINE.createSession(graph.toString(), options);
        }
    }

    /** Keys and values of a batch, whose sequences have these lengths. */
    final class Batch {
        private final List<FloatBuffer> buffers = new ArrayList<>();
        private final int[] lengths;

        Batch(int size) {
            lengths = new int[size];
            for (int i = 0; i < 2 * config.layers().size(); i++) {
                int elements = size * slotElements();
                buffers.add(ByteBuffer.allocateDirect(elements * Float.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer());
            }
        }

        private int slotElements() {
            return config.attention().keyWidth() * positions;
        }

        /** Appends tokens to sequences from..from+rows.length; the logits after the last token of each. */
        float[][] append(int from, int[][] rows) throws OrtException {
            int count = rows.length;
            int tokens = rows[0].length;
            int longest = 0;
            int[] last = new int[count];
            long[] ids = new long[count * tokens];
            long[] ends = new long[count];
            for (int row = 0; row < count; row++) {
                lengths[from + row] += tokens;
                last[row] = lengths[from + row] - 1;
                longest = Math.max(longest, lengths[from + row]);
                ends[row] = (row + 1L) * tokens - 1;
                for (int i = 0; i < tokens; i++) {
                    ids[row * tokens + i] = rows[row][i];
                }
            }
            Map<String, OnnxTensorLike> inputs = new HashMap<>();
            inputs.put("input_ids", OnnxTensor.createTensor(ENGINE, LongBuffer.wrap(ids), new long[] {count, tokens}));
            inputs.put("seqlens_k", OnnxTensor.createTensor(ENGINE, IntBuffer.wrap(last), new long[] {count}));
            inputs.put(
                    "total_sequence_length",
                    OnnxTensor.createTensor(ENGINE, IntBuffer.wrap(new int[] {longest}), new long[0]));
            inputs.put("logit_rows", OnnxTensor.createTensor(ENGINE, LongBuffer.wrap(ends), new long[] {count}));
            Map<String, OnnxValue> outputs = new HashMap<>();
            float[] logits = new float[count * config.vocabulary()];
            FloatBuffer direct = ByteBuffer.allocateDirect(logits.length * Float.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asFloatBuffer();
            outputs.put("logits", OnnxTensor.createTensor(ENGINE, direct, new long[] {count, config.vocabulary()}));
            for (int i = 0; i < buffers.size(); i++) {
                String part = ".%d.%s".formatted(i / 2, i % 2 == 0 ? "key" : "value");
                FloatBuffer slots = buffers.get(i).slice(from * slotElements(), count * slotElements());
                var attention = config.attention();
                OnnxTensor tensor = OnnxTensor.createTensor(
                        ENGINE, slots, new long[] {count, attention.keyValueHeads(), positions, attention.headWidth()});
                inputs.put("past" + part, tensor);
                outputs.put("present" + part, tensor);
            }
            try {
                session.run(inputs, outputs).close();
            } finally {
                inputs.values().forEach(OnnxTensorLike::close);
                outputs.get("logits").close();
            }
            direct.get(0, logits);
            return split(logits, count);
        }

        private float[][] split(float[] all, int count) {
            float[][] rows = new float[count][config.vocabulary()];
            for (int row = 0; row < count; row++) {
                System.arraycopy(all, row * config.vocabulary(), rows[row], 0, config.vocabulary());
            }
            return rows;
        }
    }

    static int greatest(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }

    @Override
    public void close() throws OrtException {
        session.close();
    }
}
