package io.knabla.functions.decoder.config;

import java.util.List;
import java.util.OptionalInt;

/**
 * What ModernBERT has beyond the sizes of other encoders: rotary positions, windows of attention, and biases that are
 * mostly absent (Warner et al. 2024, <a href="https://arxiv.org/abs/2412.13663">arXiv 2412.13663</a>).
 *
 * @param layers in their order
 * @param attentionBias whether the products of attention have biases
 * @param feedForwardBias whether those of the feed-forward networks have
 * @param normBias whether norms have
 * @param head of a model that gives scores
 */
public record ModernBert(
        List<Layer> layers, boolean attentionBias, boolean feedForwardBias, boolean normBias, ScoreHead head) {

    public ModernBert {
        layers = List.copyOf(layers);
    }

    /**
     * What differs between layers.
     *
     * @param window farthest distance of two tokens that attend to each other; empty if all do
     */
    public record Layer(Rope rope, OptionalInt window) {}

    /**
     * What makes a score of hidden states.
     *
     * @param mean whether they are pooled as their mean; otherwise that of the first token is taken
     * @param biased whether its first product has a bias
     */
    public record ScoreHead(boolean mean, boolean biased, Activation activation) {}
}
