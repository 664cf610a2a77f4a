package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.config.DecoderConfig.Layer;
import io.knabla.functions.decoder.config.Rope;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * Adds tables of cosines and sines, [positions, headWidth / 2], one pair for each kind of rotary positions in the
 * layers.
 */
final class RotaryTables {
    private RotaryTables() {}

    /** @param positions the longest sequence */
    static void add(DecoderConfig config, int positions, WeightLayout weights) {
        add(kinds(config.layers()), config.attention().headWidth(), positions, weights);
    }

    /**
     * @param kinds each once
     * @param headWidth elements of a head; even
     * @param positions the longest sequence
     */
    static void add(List<Rope> kinds, int headWidth, int positions, WeightLayout weights) {
        int half = headWidth / 2;
        for (int kind = 0; kind < kinds.size(); kind++) {
            Rope rope = kinds.get(kind);
            double[] frequencies = rope.frequencies(2 * half);
            weights.add(cosines(kind), table(positions, frequencies, rope, Math::cos), positions, half);
            weights.add(sines(kind), table(positions, frequencies, rope, Math::sin), positions, half);
        }
    }

    /** Names of the tables that a layer uses; none if positions are learned. */
    static List<String> names(List<Layer> layers, int layer) {
        return layers.get(layer)
                .rope()
                .map(kinds(layers)::indexOf)
                .map(kind -> List.of(cosines(kind), sines(kind)))
                .orElse(List.of());
    }

    /** Name of a kind's table. */
    static String cosines(int kind) {
        return "cos." + kind;
    }

    /** Name of a kind's table. */
    static String sines(int kind) {
        return "sin." + kind;
    }

    private static List<Rope> kinds(List<Layer> layers) {
        return layers.stream()
                .map(Layer::rope)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    private static WeightForm table(int positions, double[] frequencies, Rope rope, DoubleUnaryOperator function) {
        float[] values = new float[Math.multiplyExact(positions, frequencies.length)];
        for (int at = 0; at < values.length; at++) {
            // In single precision, as transformers computes the angle that the model was trained with.
            float angle = at / frequencies.length * (float) frequencies[at % frequencies.length];
            values[at] = (float) (function.applyAsDouble(angle) * rope.amplitude());
        }
        return new WeightForm.Numbers(values);
    }
}
