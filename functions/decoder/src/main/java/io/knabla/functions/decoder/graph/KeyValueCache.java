package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Adds the inputs and attributes by which attention keeps its key/value cache in numbers of a type. */
final class KeyValueCache {
    private static final String SCALES = "kv.scales";

    private final CacheType type;

    KeyValueCache(CacheType type) {
        this.type = type;
    }

    DataType numbers() {
        return switch (type) {
            case FLOAT32 -> DataType.FLOAT;
            case INT8 -> DataType.INT8;
        };
    }

    /** Adds the scales of all layers, whose file is measured with the finished graph. */
    void addScales(DecoderConfig config, GraphFile file) {
        if (type == CacheType.FLOAT32) {
            return;
        }
        int count = 2 * config.layers().size();
        var attention = config.attention();
        file.external(
                SCALES,
                GenerationSettings.CACHE_SCALES,
                (long) count * attention.keyValueHeads(),
                1,
                attention.headWidth());
        List<String> parts =
                IntStream.range(0, count).mapToObj(KeyValueCache::scale).toList();
        file.nodes().onnx("Split", List.of(SCALES), parts, Map.of("axis", 0, "num_outputs", count));
    }

    /**
     * Last inputs of a layer's attention.
     *
     * @param tables of cosines and sines; none if positions are learned
     */
    List<String> inputs(List<String> tables, int layer) {
        return switch (type) {
            case FLOAT32 -> tables;
            case INT8 -> {
                List<String> inputs = new ArrayList<>(tables.isEmpty() ? List.of("", "") : tables);
                // Positions, a bias of the scores, and a sink are left out.
                inputs.addAll(List.of("", "", "", scale(2 * layer), scale(2 * layer + 1)));
                yield inputs;
            }
        };
    }

    Map<String, Object> attributes() {
        return switch (type) {
            case FLOAT32 -> Map.of();
            case INT8 ->
                Map.of(
                        "k_quant_type",
                        "PER_CHANNEL",
                        "v_quant_type",
                        "PER_CHANNEL",
                        "kv_cache_bit_width",
                        CacheType.INT8.bits());
        };
    }

    private static String scale(int index) {
        return SCALES + "." + index;
    }
}
