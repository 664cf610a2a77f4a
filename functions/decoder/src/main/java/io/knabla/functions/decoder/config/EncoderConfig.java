package io.knabla.functions.decoder.config;

/**
 * Sizes of an encoder: embeddings of words, positions and perhaps types, then layers of attention and feed-forward
 * network, each with its norm behind it.
 *
 * @param width elements of one token's hidden state, a multiple of {@code heads}
 * @param vocabulary tokens, which is the number of rows of the embedding
 * @param positions rows of the embedding of positions
 * @param types rows of the embedding of types; 0 without one
 * @param positionBuckets buckets of relative positions, each with a bias of attention scores; 0 without it
 * @param normEpsilon added to the variance that a norm divides by
 * @param padToken id that fills up the texts of a batch
 * @param score how a head of type {@link EncoderArchitecture.Head#SCORE} ends
 */
public record EncoderConfig(
        EncoderArchitecture architecture,
        int width,
        int vocabulary,
        int positions,
        int types,
        int positionBuckets,
        int layers,
        int heads,
        FeedForward feedForward,
        double normEpsilon,
        int padToken,
        ScoreFunction score) {

    /** Feed-forward network: {@code down(activation(up(x)))}. */
    public record FeedForward(int width, Activation activation) {}

    /** Function of the number that a head gives. */
    public enum ScoreFunction {
        IDENTITY,
        SIGMOID
    }

    /** Most tokens of a text, those that the tokenizer adds included. */
    public int maxTokens() {
        return switch (architecture.family().counting()) {
            case FROM_ZERO -> positions;
            case BEHIND_PADDING -> positions - padToken - 1;
        };
    }
}
