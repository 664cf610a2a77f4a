package io.knabla.functions.decoder.folder;

import io.knabla.functions.decoder.config.EncoderConfig.ScoreFunction;

/** What an encoder gives for a text. */
public sealed interface EncoderOutput {

    /**
     * A vector.
     *
     * @param normalized whether it is divided by its length
     */
    record Embedding(Pooling pooling, boolean normalized) implements EncoderOutput {}

    /** One number, mostly for a pair of texts. */
    record Score(ScoreFunction function) implements EncoderOutput {}

    /** How the vectors of a text's tokens become one. */
    enum Pooling {
        /** That of the first token. */
        CLS,
        MEAN,
        /** The greatest of each element. */
        MAX
    }
}
