package io.knabla.functions.decoder.config;

import io.knabla.functions.decoder.config.ModernBert.Layer;
import io.knabla.functions.decoder.config.ModernBert.ScoreHead;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Reads what config.json of ModernBERT has beyond that of other encoders, as transformers 4 and 5 write it. */
record ModernBertReader(ConfigObject config, int headWidth) {
    /** Each needs a row in four tables. */
    private static final int MOST_POSITIONS = 1 << 17;

    private static final String FULL = "full_attention";
    private static final String SLIDING = "sliding_attention";

    /** @param count of the layers */
    ModernBert read(int count) {
        if (headWidth % 2 != 0) {
            config.fault("num_attention_heads", "gives heads of %d elements; rotary positions need pairs", headWidth);
        }
        int positions = config.size("max_position_embeddings");
        if (positions > MOST_POSITIONS) {
            config.fault("max_position_embeddings", "is %d; at most %d are allowed", positions, MOST_POSITIONS);
        }
        var ropes = new RopeReader(positions, Math.max(2, headWidth));
        double global = config.positive("global_rope_theta", 160_000);
        var full = new Layer(rope(ropes, FULL, global), OptionalInt.empty());
        // Null does not mean that it is absent here, but that it is as the other.
        double local = config.isNull("local_rope_theta") ? global : config.positive("local_rope_theta", 10_000);
        var sliding = new Layer(rope(ropes, SLIDING, local), OptionalInt.of(config.size("local_attention", 128) / 2));
        return new ModernBert(
                slides(count).stream().map(slide -> slide ? sliding : full).toList(),
                config.flag("attention_bias", false),
                config.flag("mlp_bias", false),
                config.flag("norm_bias", false),
                new ScoreHead(
                        meanPooled(),
                        config.flag("classifier_bias", false),
                        EncoderJson.activation(config, "classifier_activation")));
    }

    /** Version 5 has an object for each type of layers, version 4 two keys. */
    private Rope rope(RopeReader ropes, String layers, double theta) {
        if (config.has("rope_parameters")) {
            ConfigObject own = config.object("rope_parameters").object(layers);
            return ropes.read(own, own.positive("rope_theta", theta));
        }
        return ropes.read(config.object("rope_scaling"), theta);
    }

    private List<Boolean> slides(int count) {
        List<String> types = config.texts("layer_types");
        if (types.isEmpty()) {
            int every = config.size("global_attn_every_n_layers", 3);
            return IntStream.range(0, count)
                    .mapToObj(layer -> layer % every != 0)
                    .toList();
        }
        if (types.size() != count || !types.stream().allMatch(type -> type.equals(SLIDING) || type.equals(FULL))) {
            config.fault("layer_types", "is %s; %d are needed, each %s or %s", types, count, FULL, SLIDING);
        }
        return types.stream().map(SLIDING::equals).toList();
    }

    private boolean meanPooled() {
        String pooling = config.text("classifier_pooling", "cls");
        if (!pooling.equals("cls") && !pooling.equals("mean")) {
            config.fault("classifier_pooling", "is '%s'; known are cls and mean", pooling);
        }
        return pooling.equals("mean");
    }
}
