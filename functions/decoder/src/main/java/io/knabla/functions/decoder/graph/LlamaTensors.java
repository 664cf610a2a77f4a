package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tensors of Llama, and of the architectures that give theirs the same names. */
record LlamaTensors(DecoderConfig config, WeightIndex stored) implements DecoderTensors {

    @Override
    public StoredTensor embedding() {
        return stored.get("model.embed_tokens.weight", config.vocabulary(), config.width());
    }

    @Override
    public Optional<StoredTensor> positions() {
        return Optional.empty();
    }

    @Override
    public String lastNorm() {
        return "model.norm";
    }

    @Override
    public Layer layer(int layer) {
        return new Layer(config, stored, "model.layers.%d.".formatted(layer));
    }

    /** @param prefix begins the names of the layer's tensors */
    record Layer(DecoderConfig config, WeightIndex stored, String prefix) implements LayerTensors {

        @Override
        public List<String> norms() {
            List<String> names = switch (config.architecture().normPlacement()) {
                case BEFORE -> List.of("input", "post_attention");
                case AFTER -> List.of("post_attention", "post_feedforward");
                case AROUND -> List.of("input", "post_attention", "pre_feedforward", "post_feedforward");
            };
            return names.stream().map(name -> prefix + name + "_layernorm").toList();
        }

        @Override
        public Linear attentionInput() {
            Attention attention = config.attention();
            List<Part> parts = config.architecture().hasFusedProjections()
                    ? List.of(new Part("self_attn.qkv_proj", attention.queryWidth() + 2L * attention.keyWidth()))
                    : List.of(
                            new Part("self_attn.q_proj", attention.queryWidth()),
                            new Part("self_attn.k_proj", attention.keyWidth()),
                            new Part("self_attn.v_proj", attention.keyWidth()));
            return linear(parts, config.width(), attention.inputBias());
        }

        @Override
        public Linear attentionOutput() {
            Attention attention = config.attention();
            return linear(
                    List.of(new Part("self_attn.o_proj", config.width())),
                    attention.queryWidth(),
                    attention.outputBias());
        }

        @Override
        public Linear networkInput() {
            long width = config.feedForward().width();
            List<Part> parts = config.architecture().hasFusedProjections()
                    ? List.of(new Part("mlp.gate_up_proj", 2 * width))
                    : List.of(new Part("mlp.gate_proj", width), new Part("mlp.up_proj", width));
            return linear(parts, config.width(), config.feedForward().bias());
        }

        @Override
        public Linear networkOutput() {
            return linear(
                    List.of(new Part("mlp.down_proj", config.width())),
                    config.feedForward().width(),
                    config.feedForward().bias());
        }

        /** Some outputs of a product. */
        private record Part(String name, long rows) {}

        private Linear linear(List<Part> parts, int inputs, boolean biased) {
            Stream<Part> withBias = biased ? parts.stream() : Stream.empty();
            return new Linear(
                    parts.stream()
                            .map(part -> stored.get(prefix + part.name() + ".weight", part.rows(), inputs))
                            .toList(),
                    withBias.map(part -> stored.get(prefix + part.name() + ".bias", part.rows()))
                            .toList());
        }
    }
}
