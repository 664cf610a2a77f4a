package io.knabla.runtime.generation.calibrate;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures the scales by which a decoder's keys and values are rounded to 8 bits. */
public final class CacheScales {
    /** Of what the texts here have at most, for others may have more, which becomes the largest number. */
    private static final float MARGIN = 1.25f;

    /** Of the largest element in a layer, for elements that are next to zero in all texts. */
    private static final float LEAST = 1f / (1 << 10);

    private CacheScales() {}

    /**
     * Content of the file {@value GenerationSettings#CACHE_SCALES}, by running
     * {@value GenerationSettings#CALIBRATION_GRAPH} on fixed texts.
     *
     * @param unit folder with both graphs' weights, the tokenizer and the settings
     * @throws io.knabla.runtime.engine.EngineException if the engine cannot load or run the graph
     * @throws IllegalArgumentException if a key or value is not finite
     */
    public static byte[] measure(Path unit) throws IOException {
        var settings = GenerationSettings.parse(Files.readAllBytes(unit.resolve(GenerationSettings.FILE)));
        DecoderShape shape = settings.shape();
        List<int[]> texts = CalibrationTexts.of(
                Tokenizer.open(unit.resolve(GenerationSettings.TOKENIZER)),
                shape.vocabulary(),
                settings.limits().contextLength());
        float[] largest = LargestElements.measure(unit.resolve(GenerationSettings.CALIBRATION_GRAPH), shape, texts);
        ByteBuffer bytes = ByteBuffer.allocate(largest.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(scales(largest, shape));
        return bytes.array();
    }

    private static float[] scales(float[] largest, DecoderShape shape) {
        float[] scales = new float[largest.length];
        int part = shape.kvHeads() * shape.headWidth();
        for (int from = 0; from < scales.length; from += part) {
            float most = 0;
            for (int i = from; i < from + part; i++) {
                most = Math.max(most, largest[i]);
            }
            if (!Float.isFinite(most)) {
                throw new IllegalArgumentException(
                        "layer %d computes keys or values that are not finite, so they cannot be rounded to 8 bits; see whether the model's weights are right, or write spec.generation.kvCache.type: Float32"
                                .formatted(from / part / 2));
            }
            for (int i = from; i < from + part; i++) {
                float size = most == 0 ? 1 : Math.max(largest[i], LEAST * most);
                scales[i] = MARGIN * size / Byte.MAX_VALUE;
            }
        }
        return scales;
    }
}
