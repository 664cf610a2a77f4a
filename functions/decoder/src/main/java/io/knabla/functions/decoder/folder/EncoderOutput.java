package io.knabla.functions.decoder.folder;

import io.knabla.functions.decoder.config.Activation;
import io.knabla.functions.decoder.config.EncoderConfig.ScoreFunction;
import io.knabla.functions.unit.encoder.Prompts;
import java.util.List;

/** What an encoder gives for a text. */
public sealed interface EncoderOutput {
    /** Elements of it. */
    int width();

    /**
     * A vector.
     *
     * @param steps from the pooled vector to the text's, in their order
     * @param width elements of the text's vector
     */
    record Embedding(Pooling pooling, List<Step> steps, int width, Prompts prompts) implements EncoderOutput {
        public Embedding {
            steps = List.copyOf(steps);
        }

        /** Whether the text's vector is divided by its length at last. */
        public boolean normalized() {
            return !steps.isEmpty() && steps.getLast() instanceof Normalize;
        }
    }

    /** One number, mostly for a pair of texts. */
    record Score(ScoreFunction function) implements EncoderOutput {
        @Override
        public int width() {
            return 1;
        }
    }

    /** How the vectors of a text's tokens become one. */
    enum Pooling {
        /** That of the first token. */
        CLS,
        MEAN,
        /** The greatest of each element. */
        MAX
    }

    /** Changes a text's vector. */
    sealed interface Step {}

    /** Divides the vector by its length. */
    record Normalize() implements Step {}

    /**
     * Multiplies the vector with a matrix.
     *
     * @param name begins the names of its tensors: that of the module's folder, and a slash
     * @param input elements of the vector before
     * @param output elements of the vector behind
     * @param biased whether a vector is added to the product
     */
    record Dense(String name, int input, int output, boolean biased, Activation activation) implements Step {}
}
