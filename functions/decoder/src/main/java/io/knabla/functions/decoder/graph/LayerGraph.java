package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.Architecture;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.config.DecoderConfig.Activation;
import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Adds one layer: attention and feed-forward network, each added to its input. Hidden states are [tokens, width]. */
final class LayerGraph {
    private final DecoderConfig config;
    private final WeightIndex stored;
    private final RmsNorms norms;
    private final MatrixProducts products;
    private final GraphNodes nodes;
    private final ShapeNodes shapes;
    private final int layer;
    private final String prefix;

    LayerGraph(DecoderConfig config, WeightIndex stored, WeightLayout weights, Parts parts, int layer) {
        this.config = config;
        this.stored = stored;
        this.norms = new RmsNorms(config, stored, weights, parts.nodes());
        this.products = parts.products();
        this.nodes = parts.nodes();
        this.shapes = parts.shapes();
        this.layer = layer;
        this.prefix = "model.layers.%d.".formatted(layer);
    }

    /** What all layers add to. */
    record Parts(GraphNodes nodes, ShapeNodes shapes, MatrixProducts products) {}

    /** Returns the layer's output. */
    String add(String input) {
        return switch (config.architecture().normPlacement()) {
            case BEFORE -> {
                String attended = sum("attention", input, attention(norm(input, "input_layernorm")));
                yield sum("output", attended, feedForward(norm(attended, "post_attention_layernorm")));
            }
            case AFTER -> {
                String attended = sum("attention", input, norm(attention(input), "post_attention_layernorm"));
                yield sum("output", attended, norm(feedForward(attended), "post_feedforward_layernorm"));
            }
            case AROUND -> {
                String attention = attention(norm(input, "input_layernorm"));
                String attended = sum("attention", input, norm(attention, "post_attention_layernorm"));
                String network = feedForward(norm(attended, "pre_feedforward_layernorm"));
                yield sum("output", attended, norm(network, "post_feedforward_layernorm"));
            }
        };
    }

    private String norm(String input, String name) {
        return norms.add(input, prefix + name + ".weight", config.width());
    }

    private String sum(String name, String left, String right) {
        return nodes.onnx(prefix + name, "Add", List.of(left, right), Map.of());
    }

    private String attention(String input) {
        Attention attention = config.attention();
        String mixed = products.product(
                prefix + "qkv", input, products.matrix(prefix + "qkv.weight", inputProjections()), inputBiases());
        List<String> queries = config.architecture().queryKeyNorm() == Architecture.QueryKeyNorm.NONE
                ? List.of(shapes.batched(prefix + "qkv.batched", mixed), "", "")
                : normalised(mixed);
        String attended = attended(queries);
        String flat = shapes.flat(prefix + "attended.flat", attended, attention.queryWidth());
        String name = prefix + "self_attn.o_proj";
        List<StoredTensor> bias =
                attention.outputBias() ? List.of(stored.get(name + ".bias", config.width())) : List.of();
        StoredTensor weight = stored.get(name + ".weight", config.width(), attention.queryWidth());
        return products.product(prefix + "o", flat, products.matrix(prefix + "o.weight", List.of(weight)), bias);
    }

    private List<StoredTensor> inputProjections() {
        Attention attention = config.attention();
        if (config.architecture().hasFusedProjections()) {
            return List.of(stored.get(
                    prefix + "self_attn.qkv_proj.weight",
                    attention.queryWidth() + 2L * attention.keyWidth(),
                    config.width()));
        }
        return List.of(
                stored.get(prefix + "self_attn.q_proj.weight", attention.queryWidth(), config.width()),
                stored.get(prefix + "self_attn.k_proj.weight", attention.keyWidth(), config.width()),
                stored.get(prefix + "self_attn.v_proj.weight", attention.keyWidth(), config.width()));
    }

    private List<StoredTensor> inputBiases() {
        Attention attention = config.attention();
        if (!attention.inputBias()) {
            return List.of();
        }
        return List.of(
                stored.get(prefix + "self_attn.q_proj.bias", attention.queryWidth()),
                stored.get(prefix + "self_attn.k_proj.bias", attention.keyWidth()),
                stored.get(prefix + "self_attn.v_proj.bias", attention.keyWidth()));
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
        String weight = prefix + "self_attn." + part + "_norm.weight";
        return switch (config.architecture().queryKeyNorm()) {
            case NONE -> input;
            case WHOLE -> norms.add(input, weight, width);
            case HEAD -> {
                int head = config.attention().headWidth();
                String heads = shapes.flat(prefix + part + ".heads", input, head);
                yield shapes.flat(prefix + part + ".normed", norms.add(heads, weight, head), width);
            }
        };
    }

    private String attended(List<String> queries) {
        Attention attention = config.attention();
        List<String> inputs = new ArrayList<>(queries);
        inputs.addAll(List.of(DecoderGraph.pastKey(layer), DecoderGraph.pastValue(layer)));
        inputs.addAll(List.of(DecoderGraph.LAST_POSITIONS, DecoderGraph.LONGEST));
        inputs.addAll(RotaryTables.names(config.layers(), layer));
        String output = prefix + "attended";
        nodes.contrib(
                "GroupQueryAttention",
                inputs,
                List.of(output, DecoderGraph.presentKey(layer), DecoderGraph.presentValue(layer)),
                Map.of(
                        "num_heads", attention.heads(),
                        "kv_num_heads", attention.keyValueHeads(),
                        "scale", attention.scale(),
                        "softcap", attention.softcap().orElse(0),
                        "local_window_size", window(),
                        "do_rotary", 1));
        return output;
    }

    private int window() {
        int window = config.layers().get(layer).window();
        return window == 0 ? -1 : window;
    }

    private String feedForward(String input) {
        int width = config.feedForward().width();
        String both = products.product(
                prefix + "gate_up",
                input,
                products.matrix(prefix + "gate_up.weight", gateAndUp()),
                networkBias("gate_proj", "up_proj"));
        List<String> halves = List.of(prefix + "gate", prefix + "up");
        nodes.onnx("Split", List.of(both), halves, Map.of("axis", 1, "num_outputs", 2));
        String activated = activated(halves.getFirst());
        String gated = nodes.onnx(prefix + "gated", "Mul", List.of(activated, halves.getLast()), Map.of());
        StoredTensor down = stored.get(prefix + "mlp.down_proj.weight", config.width(), width);
        return products.product(
                prefix + "down",
                gated,
                products.matrix(prefix + "down.weight", List.of(down)),
                networkBias("down_proj"));
    }

    private List<StoredTensor> gateAndUp() {
        long width = config.feedForward().width();
        return config.architecture().hasFusedProjections()
                ? List.of(stored.get(prefix + "mlp.gate_up_proj.weight", 2 * width, config.width()))
                : List.of(
                        stored.get(prefix + "mlp.gate_proj.weight", width, config.width()),
                        stored.get(prefix + "mlp.up_proj.weight", width, config.width()));
    }

    private List<StoredTensor> networkBias(String... projections) {
        if (!config.feedForward().bias()) {
            return List.of();
        }
        return Stream.of(projections)
                .map(name -> stored.get(
                        prefix + "mlp." + name + ".bias",
                        name.equals("down_proj")
                                ? config.width()
                                : config.feedForward().width()))
                .toList();
    }

    private String activated(String gate) {
        Activation activation = config.feedForward().activation();
        return switch (activation) {
            case SILU -> nodes.contrib(prefix + "activated", "QuickGelu", List.of(gate), Map.of("alpha", 1.0));
            case GELU -> nodes.onnx(prefix + "activated", "Gelu", List.of(gate), Map.of("approximate", "none"));
            case GELU_TANH -> nodes.onnx(prefix + "activated", "Gelu", List.of(gate), Map.of("approximate", "tanh"));
        };
    }
}
