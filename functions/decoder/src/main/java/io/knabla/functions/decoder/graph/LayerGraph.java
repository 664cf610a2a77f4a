package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.Architecture;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import io.knabla.functions.decoder.graph.DecoderTensors.LayerTensors;
import io.knabla.functions.decoder.graph.DecoderTensors.Linear;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Adds one layer: attention and feed-forward network, each added to its input. Hidden states are [tokens, width]. */
final class LayerGraph {
    private final DecoderConfig config;
    private final LayerTensors tensors;
    private final DecoderNorms norms;
    private final MatrixProducts products;
    private final GraphNodes nodes;
    private final ShapeNodes shapes;
    private final KeyValueCache cache;
    private final int layer;
    private final String prefix;

    LayerGraph(
            DecoderConfig config,
            LayerTensors tensors,
            DecoderNorms norms,
            Parts parts,
            KeyValueCache cache,
            int layer) {
        this.config = config;
        this.tensors = tensors;
        this.norms = norms;
        this.products = parts.products();
        this.nodes = parts.nodes();
        this.shapes = parts.shapes();
        this.cache = cache;
        this.layer = layer;
        this.prefix = "model.layers.%d.".formatted(layer);
    }

    /** What all layers add to. */
    record Parts(GraphNodes nodes, ShapeNodes shapes, MatrixProducts products) {}

    /** Returns the layer's output. */
    String add(String input) {
        return switch (config.architecture().normPlacement()) {
            case BEFORE -> {
                String attended = sum("attention", input, attention(norm(input, 0)));
                yield sum("output", attended, feedForward(norm(attended, 1)));
            }
            case AFTER -> {
                String attended = sum("attention", input, norm(attention(input), 0));
                yield sum("output", attended, norm(feedForward(attended), 1));
            }
            case AROUND -> {
                String attended = sum("attention", input, norm(attention(norm(input, 0)), 1));
                yield sum("output", attended, norm(feedForward(norm(attended, 2)), 3));
            }
        };
    }

    private String norm(String input, int index) {
        return norms.add(input, tensors.norms().get(index), config.width());
    }

    private String sum(String name, String left, String right) {
        return nodes.onnx(prefix + name, "Add", List.of(left, right), Map.of());
    }

    private String attention(String input) {
        String mixed = product("qkv", input, tensors.attentionInput());
        List<String> queries = config.architecture().queryKeyNorm() == Architecture.QueryKeyNorm.NONE
                ? List.of(shapes.batched(prefix + "qkv.batched", mixed), "", "")
                : normalised(mixed);
        String attended = attended(queries);
        String flat = shapes.flat(
                prefix + "attended.flat", attended, config.attention().queryWidth());
        return product("o", flat, tensors.attentionOutput());
    }

    private String product(String name, String input, Linear linear) {
        return products.product(
                prefix + name, input, products.matrix(prefix + name + ".weight", linear.weights()), linear.biases());
    }

    /** Queries and keys have norms, so they cannot stay one matrix with the values. */
    private List<String> normalised(String mixed) {
        Attention attention = config.attention();
        List<String> parts = Stream.of("q", "k", "v").map(prefix::concat).toList();
        shapes.split(mixed, parts, attention);
        return List.of(
                shapes.batched(prefix + "q.batched", headNorm(parts.get(0), "q", attention.queryWidth())),
                shapes.batched(prefix + "k.batched", headNorm(parts.get(1), "k", attention.keyWidth())),
                shapes.batched(prefix + "v.batched", parts.get(2)));
    }

    private String headNorm(String input, String part, int width) {
        String name = prefix + "self_attn." + part + "_norm";
        return switch (config.architecture().queryKeyNorm()) {
            case NONE -> input;
            case WHOLE -> norms.add(input, name, width);
            case HEAD -> {
                int head = config.attention().headWidth();
                String heads = shapes.flat(prefix + part + ".heads", input, head);
                yield shapes.flat(prefix + part + ".normed", norms.add(heads, name, head), width);
            }
        };
    }

    private String attended(List<String> queries) {
        Attention attention = config.attention();
        List<String> inputs = new ArrayList<>(queries);
        inputs.addAll(List.of(DecoderGraph.pastKey(layer), DecoderGraph.pastValue(layer)));
        inputs.addAll(List.of(DecoderGraph.LAST_POSITIONS, DecoderGraph.LONGEST));
        List<String> tables = RotaryTables.names(config.layers(), layer);
        inputs.addAll(cache.inputs(tables, layer));
        Map<String, Object> attributes = new HashMap<>(cache.attributes());
        attributes.put("num_heads", attention.heads());
        attributes.put("kv_num_heads", attention.keyValueHeads());
        attributes.put("scale", config.layers().get(layer).scale());
        attributes.put("softcap", attention.softcap().orElse(0));
        attributes.put("local_window_size", window());
        attributes.put("do_rotary", tables.isEmpty() ? 0 : 1);
        String output = prefix + "attended";
        nodes.contrib(
                "GroupQueryAttention",
                inputs,
                List.of(output, DecoderGraph.presentKey(layer), DecoderGraph.presentValue(layer)),
                attributes);
        return output;
    }

    private int window() {
        int window = config.layers().get(layer).window();
        return window == 0 ? -1 : window;
    }

    private String feedForward(String input) {
        String up = product("gate_up", input, tensors.networkInput());
        String inner = config.feedForward().gated() ? gated(up) : activated(up);
        return product("down", inner, tensors.networkOutput());
    }

    private String gated(String both) {
        List<String> halves = List.of(prefix + "gate", prefix + "up");
        nodes.onnx("Split", List.of(both), halves, Map.of("axis", 1, "num_outputs", 2));
        String activated = activated(halves.getFirst());
        return nodes.onnx(prefix + "gated", "Mul", List.of(activated, halves.getLast()), Map.of());
    }

    private String activated(String input) {
        return new Activations(nodes)
                .add(prefix + "activated", input, config.feedForward().activation());
    }
}
