package io.knabla.functions.decoder.config;

import java.util.Optional;

/**
 * Sizes of an encoder: embeddings of words, positions and perhaps types, then layers of attention and feed-forward
 * network, each with a norm.
 *
 * @param width elements of one token's hidden state, a multiple of {@code heads}
 * @param vocabulary tokens, which is the number of rows of the embedding
 * @param positions rows of the embedding of positions; without one, most tokens of a text
 * @param types rows of the embedding of types; 0 without one
 * @param positionBuckets buckets of relative positions, each with a bias of attention scores; 0 without it
 * @param normEpsilon added to the variance that a norm divides by
 * @param padToken id that fills up the texts of a batch
 * @param modern of {@link EncoderArchitecture.Family#MODERNBERT}, which has no embedding of positions
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
        Optional<ModernBert> modern,
        ScoreFunction score) {

    /** Feed-forward network: {@code down(activation(up(x)))}. */
    public record FeedForward(int width, Activation activation) {}

    /** Function of the number that a head gives. */
    public enum ScoreFunction {
        IDENTITY,
        SIGMOID
    }

    /** Elements of the tables that are looked up, not multiplied with. */
    public long lookedUp() {
        long rows = (long) vocabulary + types + (modern.isPresent() ? 0 : positions);
        return width * rows + (long) heads * positionBuckets;
    }

    /** Most tokens of a text, those that the tokenizer adds included. */
    public int maxTokens() {
        return switch (architecture.family().counting()) {
            case FROM_ZERO -> positions;
            case BEHIND_PADDING -> positions - padToken - 1;
        };
    }
}
