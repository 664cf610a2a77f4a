package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Optional;

/** Looks up a decoder's tensors under the names, and in the layouts, that a family of classes gives them. */
sealed interface DecoderTensors permits LlamaTensors, Gpt2Tensors {

    static DecoderTensors of(DecoderConfig config, WeightIndex stored) {
        return switch (config.architecture().family()) {
            case LLAMA -> new LlamaTensors(config, stored);
            case GPT2 -> Gpt2Tensors.of(config, stored);
        };
    }

    /** Embedding of tokens: [vocabulary, width]. */
    StoredTensor embedding();

    /** Embedding of positions, [learnedPositions, width]; empty if they are rotary. */
    Optional<StoredTensor> positions();

    /** Prefix of the names of the tensors of the norm after the last layer. */
    String lastNorm();

    /** @param layer its index, from 0 */
    LayerTensors layer(int layer);

    /** Tensors of one layer. */
    sealed interface LayerTensors permits LlamaTensors.Layer, Gpt2Tensors.Layer {

        /** Prefixes of the names of the norms' tensors, in the order in which the norms are computed. */
        List<String> norms();

        /** Makes queries, keys and values. */
        Linear attentionInput();

        Linear attentionOutput();

        /** Makes gate and up of a gated feed-forward network, or up alone. */
        Linear networkInput();

        Linear networkOutput();
    }

    /**
     * A product with a matrix, and a sum with a bias.
     *
     * @param weights the matrix's rows, which are outputs, in one or several parts
     * @param biases in as many parts; none for a product alone
     */
    record Linear(List<StoredTensor> weights, List<StoredTensor> biases) {}
}
