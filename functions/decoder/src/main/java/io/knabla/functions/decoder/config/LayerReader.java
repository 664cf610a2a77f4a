package io.knabla.functions.decoder.config;

import io.knabla.functions.decoder.config.DecoderConfig.Layer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads what differs between layers: windows of attention, and rotary positions. */
final class LayerReader {
    private static final String SLIDING = "sliding_attention";
    private static final String FULL = "full_attention";
    private static final double THETA = 10_000;

    private final ConfigObject config;
    private final Architecture architecture;
    private final RopeReader ropes;

    LayerReader(ConfigObject config, Architecture architecture, int contextLength, int headWidth) {
        this.config = config;
        this.architecture = architecture;
        this.ropes = new RopeReader(contextLength, headWidth);
    }

    /** @param scale of the products of queries and keys, in all layers */
    List<Layer> layers(int count, double scale) {
        int window = window();
        Rope full = rope(FULL);
        Rope sliding = rope(SLIDING);
        List<Boolean> slides = slides(count);
        return slides.stream()
                .map(slide -> slide && window > 0
                        ? new Layer(window, Optional.of(sliding), scale)
                        : new Layer(0, Optional.of(full), scale))
                .toList();
    }

    private int window() {
        return switch (architecture.window()) {
            case NONE -> 0;
            case ALL_LAYERS, LAYER_TYPES -> config.has("sliding_window") ? config.size("sliding_window") : 0;
        };
    }

    private List<Boolean> slides(int count) {
        List<String> types = config.texts("layer_types");
        if (architecture.window() != Architecture.Window.LAYER_TYPES || types.isEmpty()) {
            return IntStream.range(0, count).mapToObj(this::slidesByDefault).toList();
        }
        if (types.size() != count || !types.stream().allMatch(type -> type.equals(SLIDING) || type.equals(FULL))) {
            config.fault(
                    "layer_types", "has %d types; %d are needed, each %s or %s", types.size(), count, FULL, SLIDING);
            return List.of();
        }
        return types.stream().map(SLIDING::equals).toList();
    }

    /** Before transformers had {@code layer_types}, each architecture had a rule of its own. */
    private boolean slidesByDefault(int layer) {
        return switch (architecture) {
            case LLAMA, OLMO2, GPT2 -> false;
            case MISTRAL, PHI3 -> true;
            case QWEN2, QWEN3 ->
                config.flag("use_sliding_window", false)
                        && layer >= config.size("max_window_layers", Integer.MAX_VALUE);
            case GEMMA2 -> layer % 2 == 0;
            case GEMMA3 -> (layer + 1) % config.size("sliding_window_pattern", 6) != 0;
        };
    }

    /** Transformers 5 has one object for theta and scaling, Gemma 3 one for each type of layers. */
    private Rope rope(String layerType) {
        ConfigObject parameters = config.object("rope_parameters");
        if (parameters.has(FULL) || parameters.has(SLIDING)) {
            parameters = parameters.object(layerType);
        }
        if (config.has("rope_parameters")) {
            return ropes.read(parameters, parameters.positive("rope_theta", THETA));
        }
        boolean local = layerType.equals(SLIDING) && config.has("rope_local_base_freq");
        return local
                ? new Rope(config.positive("rope_local_base_freq", THETA), new Rope.None())
                : ropes.read(config.object("rope_scaling"), config.positive("rope_theta", THETA));
    }
}
