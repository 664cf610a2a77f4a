package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/**
 * Adds a bias to attention scores by the relative position of two tokens, the same in all layers: [1, heads, tokens,
 * tokens]. Near distances have a bias each, farther ones share one in groups that grow by a constant factor, as in T5
 * (Raffel et al. 2020, arXiv 1910.10683, section 2.1) for both directions.
 */
final class RelativePositionBias {
    /** From here on all tokens are in the last group. */
    private static final int FARTHEST = 128;

    private final EncoderConfig config;
    private final WeightIndex stored;
    private final GraphFile file;
    private final GraphNodes nodes;

    RelativePositionBias(EncoderConfig config, WeightIndex stored, GraphFile file) {
        this.config = config;
        this.stored = stored;
        this.file = file;
        this.nodes = file.nodes();
    }

    /**
     * @param tensor name of the biases, [groups, heads]
     * @param distances name of the value that tells how far a token is behind another: [tokens, tokens]
     */
    String add(String tensor, String distances) {
        String biases = file.weights()
                .add(
                        tensor,
                        new WeightForm.Rows(List.of(stored.get(tensor, config.positionBuckets(), config.heads())), 0),
                        config.positionBuckets(),
                        config.heads());
        String each = nodes.onnx("distance.biases", "Gather", List.of(biases, groups(distances)), Map.of());
        String byHead = nodes.onnx("distance.heads", "Transpose", List.of(each), Map.of("perm", new int[] {2, 0, 1}));
        return nodes.onnx("distance.bias", "Unsqueeze", List.of(byHead, nodes.integers("axis.batch", 0)), Map.of());
    }

    /** The group of each pair of tokens, looked up by their distance: [tokens, tokens]. */
    private String groups(String distances) {
        int most = config.maxTokens() - 1;
        String index =
                nodes.onnx("distance.index", "Add", List.of(distances, nodes.integer("distance.most", most)), Map.of());
        return nodes.onnx("distance.group", "Gather", List.of(nodes.integers("groups", groups(most)), index), Map.of());
    }

    /** Of all distances from {@code -most} to {@code most}; that of a later token is positive. */
    private long[] groups(int most) {
        long[] groups = new long[2 * most + 1];
        for (int distance = -most; distance <= most; distance++) {
            groups[distance + most] = group(distance, config.positionBuckets() / 2);
        }
        return groups;
    }

    /** @param groups of one direction */
    private static long group(int distance, int groups) {
        int first = distance > 0 ? groups : 0;
        int away = Math.abs(distance);
        int near = groups / 2;
        if (away < near) {
            return first + away;
        }
        // In 32 bits, as transformers computes it: a distance at the edge of two groups falls where it does there.
        float logarithm = (float) Math.log((float) away / near) / (float) Math.log((double) FARTHEST / near);
        return first + Math.min(groups - 1, near + (int) (logarithm * (groups - near)));
    }
}
