package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.folder.WeightIndex;

/**
 * The graph that the parts of an encoder are added to, with what they share.
 *
 * @param prefix begins the names of the tensors below the head
 */
record EncoderParts(
        EncoderConfig config,
        WeightIndex stored,
        GraphFile file,
        ShapeNodes shapes,
        LengthNodes lengths,
        MatrixProducts products,
        String prefix) {
    /** Name of the graph's input of tokens, [batch, tokens]. */
    static final String TOKENS = "input_ids";

    GraphNodes nodes() {
        return file.nodes();
    }

    LinearMaps linear() {
        return new LinearMaps(stored, products);
    }

    LayerNorms norms() {
        return new LayerNorms(stored, file.weights(), nodes(), config.width(), config.normEpsilon());
    }
}
