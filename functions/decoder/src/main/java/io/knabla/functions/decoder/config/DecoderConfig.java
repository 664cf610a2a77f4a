package io.knabla.functions.decoder.config;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Sizes of a decoder: embedding, then layers of attention and feed-forward network, then one product that gives a logit
 * for each token.
 *
 * @param width elements of one token's hidden state
 * @param vocabulary tokens, which is the number of rows of the embedding
 * @param contextLength most tokens of a sequence that the model was made for
 * @param learnedPositions rows of the embedding of positions, {@code contextLength} or more; 0 if positions are rotary
 * @param normEpsilon added to the mean square, or the variance, that a norm divides by
 * @param tiedEmbeddings whether the embedding is also the last product's matrix
 * @param logitSoftcap c of {@code c · tanh(logit / c)}
 * @param endTokens ids that end a text, as config.json names them; may be empty
 */
public record DecoderConfig(
        Architecture architecture,
        int width,
        int vocabulary,
        int contextLength,
        int learnedPositions,
        Attention attention,
        FeedForward feedForward,
        double normEpsilon,
        boolean tiedEmbeddings,
        OptionalDouble logitSoftcap,
        List<Layer> layers,
        List<Integer> endTokens) {
    public DecoderConfig {
        layers = List.copyOf(layers);
        endTokens = List.copyOf(endTokens);
    }

    /**
     * Attention of every layer; {@code heads} is a multiple of {@code keyValueHeads}.
     *
     * @param softcap c of {@code c · tanh(score / c)}
     * @param inputBias whether the projections to queries, keys and values add a bias
     * @param outputBias whether the projection back to the width adds a bias
     */
    public record Attention(
            int heads,
            int keyValueHeads,
            int headWidth,
            OptionalDouble softcap,
            boolean inputBias,
            boolean outputBias) {
        /** Elements of all queries of one token. */
        public int queryWidth() {
            return heads * headWidth;
        }

        /** Elements of all keys of one token, which are as many as of its values. */
        public int keyWidth() {
            return keyValueHeads * headWidth;
        }
    }

    /**
     * Feed-forward network: {@code down(activation(up(x)))}, or {@code down(activation(gate(x)) · up(x))}.
     *
     * @param gated whether it has a gate
     */
    public record FeedForward(int width, Activation activation, boolean bias, boolean gated) {}

    /**
     * What differs between layers.
     *
     * @param window tokens that a token attends to, itself among them; 0 for all before it
     * @param rope empty if positions are learned
     * @param scale factor of the products of queries and keys
     */
    public record Layer(int window, Optional<Rope> rope, double scale) {}

    /** Numbers in the keys and values of one token. */
    public long keyValueNumbers() {
        return 2L * attention.keyWidth() * layers.size();
    }
}
