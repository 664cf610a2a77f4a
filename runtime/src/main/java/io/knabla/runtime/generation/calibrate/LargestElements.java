package io.knabla.runtime.generation.calibrate;

import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.runtime.engine.DecoderInputs;
import io.knabla.runtime.engine.DecoderSession;
import io.knabla.runtime.engine.KeyValueWindow;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the largest magnitude of each element of a head's key and value in each layer: keys have elements that are far
 * larger than others in all tokens (Liu et al., KIVI, 2024). A position turns the elements i and i + headWidth / 2 of a
 * key into each other, so both count as the length of the vector that they make, which no position changes.
 */
final class LargestElements {
    private final DecoderShape shape;
    private final int positions;
    private final List<ByteBuffer> buffers;
    private final float[] largest;

    private LargestElements(DecoderShape shape, int positions) {
        this.shape = shape;
        this.positions = positions;
        int part = shape.kvHeads() * shape.headWidth();
        this.largest = new float[2 * shape.layers() * part];
        this.buffers = Stream.generate(() -> ByteBuffer.allocateDirect(part * positions * Float.BYTES))
                .limit(2L * shape.layers())
                .toList();
    }

    /**
     * Runs the decoder on each text, in one thread: what is found must not depend on a machine's cores.
     *
     * @param graph with 32-bit keys and values
     * @param texts of 2 tokens or more, at most as many as the graph has positions
     * @return [layers, 2, kvHeads, headWidth]; those of keys before those of values
     */
    static float[] measure(Path graph, DecoderShape shape, List<int[]> texts) {
        DecoderShape whole = shape.with(CacheType.FLOAT32);
        var found = new LargestElements(
                whole, texts.stream().mapToInt(text -> text.length).max().orElseThrow());
        try (var session = DecoderSession.open(graph, whole, 1);
                KeyValueWindow window = session.bind(found.buffers, 1, found.positions)) {
            for (int[] text : texts) {
                long[] tokens = Arrays.stream(text).asLongStream().toArray();
                var inputs = new DecoderInputs(tokens, new int[] {text.length}, new long[0]);
                session.run(inputs, window, ByteBuffer.allocateDirect(0));
                found.add(text.length);
            }
        }
        return found.largest;
    }

    /** @param count tokens whose keys and values the buffers hold */
    private void add(int count) {
        float[] row = new float[shape.headWidth()];
        for (int part = 0; part < buffers.size(); part++) {
            FloatBuffer numbers =
                    buffers.get(part).order(ByteOrder.nativeOrder()).asFloatBuffer();
            for (int head = 0; head < shape.kvHeads(); head++) {
                for (int position = 0; position < count; position++) {
                    numbers.get((head * positions + position) * row.length, row);
                    add(row, part % 2 == 0, (part * shape.kvHeads() + head) * row.length);
                }
            }
        }
    }

    private void add(float[] row, boolean isKey, int at) {
        for (int i = 0; i < row.length; i++) {
            float other = isKey ? row[(i + row.length / 2) % row.length] : 0;
            largest[at + i] = Math.max(largest[at + i], (float) Math.hypot(row[i], other));
        }
    }
}
