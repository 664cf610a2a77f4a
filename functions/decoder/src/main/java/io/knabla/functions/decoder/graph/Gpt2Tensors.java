package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tensors of GPT-2, whose matrices have inputs as rows.
 *
 * @param prefix begins all names; files of the model without its head have none
 */
record Gpt2Tensors(DecoderConfig config, WeightIndex stored, String prefix) implements DecoderTensors {
    private static final String EMBEDDING = "wte.weight";

    static Gpt2Tensors of(DecoderConfig config, WeightIndex stored) {
        return new Gpt2Tensors(config, stored, stored.has(EMBEDDING) ? "" : "transformer.");
    }

    @Override
    public StoredTensor embedding() {
        return stored.get(prefix + EMBEDDING, config.vocabulary(), config.width());
    }

    @Override
    public Optional<StoredTensor> positions() {
        return Optional.of(stored.get(prefix + "wpe.weight", config.learnedPositions(), config.width()));
    }

    @Override
    public String lastNorm() {
        return prefix + "ln_f";
    }

    @Override
    public Layer layer(int layer) {
        var tensors = new Layer(config, stored, "%sh.%d.".formatted(prefix, layer));
        tensors.leaveOutMasks();
        return tensors;
    }

    /** @param prefix begins the names of the layer's tensors */
    record Layer(DecoderConfig config, WeightIndex stored, String prefix) implements LayerTensors {

        /** Older files have them, though they are the same for all models. */
        private void leaveOutMasks() {
            Stream.of("attn.bias", "attn.masked_bias").map(prefix::concat).forEach(stored::leaveOut);
        }

        @Override
        public List<String> norms() {
            return List.of(prefix + "ln_1", prefix + "ln_2");
        }

        @Override
        public Linear attentionInput() {
            return linear("attn.c_attn", config.width(), 3L * config.width());
        }

        @Override
        public Linear attentionOutput() {
            return linear("attn.c_proj", config.width(), config.width());
        }

        @Override
        public Linear networkInput() {
            return linear("mlp.c_fc", config.width(), config.feedForward().width());
        }

        @Override
        public Linear networkOutput() {
            return linear("mlp.c_proj", config.feedForward().width(), config.width());
        }

        private Linear linear(String name, long inputs, long outputs) {
            return new Linear(
                    List.of(stored.get(prefix + name + ".weight", inputs, outputs)
                            .transposed()),
                    List.of(stored.get(prefix + name + ".bias", outputs)));
        }
    }
}
