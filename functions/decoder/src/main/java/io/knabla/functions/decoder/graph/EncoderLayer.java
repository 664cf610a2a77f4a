package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/**
 * Adds one layer of an encoder: attention and feed-forward network, each added to its input and normalised. Hidden
 * states are [tokens, width].
 */
final class EncoderLayer {
    private final EncoderParts parts;
    private final EncoderConfig config;
    private final WeightIndex stored;
    private final LayerNorms norms;
    private final MatrixProducts products;
    private final GraphNodes nodes;
    private final ShapeNodes shapes;
    private final EncoderTensors tensors;
    private final String prefix;

    /** @param prefix begins the names of the layer's tensors */
    EncoderLayer(EncoderParts parts, String prefix) {
        this.parts = parts;
        this.config = parts.config();
        this.tensors = EncoderTensors.of(config.architecture().family());
        this.stored = parts.stored();
        this.norms = parts.norms();
        this.products = parts.products();
        this.nodes = parts.nodes();
        this.shapes = parts.shapes();
        this.prefix = prefix;
    }

    /**
     * Returns the layer's output.
     *
     * @param bias of the scores of attention; empty for none
     */
    String add(String input, String bias) {
        int width = config.width();
        String mixed = product(tensors.mixed(), attention(input, bias), width, width);
        String attended = norms.ofSum(prefix + "attended", input, mixed, prefix + tensors.attentionNorm());
        int inner = config.feedForward().width();
        String up = activated(product(tensors.up(), attended, inner, width));
        String down = product(tensors.down(), up, width, inner);
        return norms.ofSum(prefix + "out", attended, down, prefix + tensors.norm());
    }

    private String product(String name, String input, int rows, int width) {
        return parts.linear().add(prefix + name, input, rows, width, true);
    }

    private String attention(String input, String bias) {
        int width = config.width();
        List<String> names = tensors.input().stream().map(prefix::concat).toList();
        String all = products.product(
                prefix + "qkv",
                input,
                products.matrix(
                        prefix + "qkv.matrix",
                        names.stream()
                                .map(name -> stored.get(name + ".weight", width, width))
                                .toList()),
                names.stream().map(name -> stored.get(name + ".bias", width)).toList());
        nodes.onnx("Split", List.of(all), names, Map.of("axis", 1, "num_outputs", names.size()));
        List<String> batched = names.stream()
                .map(name -> shapes.batched(name + ".batched", name))
                .toList();
        String output = nodes.contrib(
                prefix + "attention",
                "MultiHeadAttention",
                List.of(batched.get(0), batched.get(1), batched.get(2), "", EncoderGraph.LENGTHS, bias),
                Map.of("num_heads", config.heads()));
        return shapes.flat(prefix + "attention.flat", output, width);
    }

    private String activated(String input) {
        return new Activations(nodes)
                .add(prefix + "activated", input, config.feedForward().activation());
    }
}
