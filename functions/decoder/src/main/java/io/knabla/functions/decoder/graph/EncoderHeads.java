package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.Activation;
import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.config.EncoderConfig.ScoreFunction;
import io.knabla.functions.decoder.config.ModernBert;
import io.knabla.functions.decoder.folder.EncoderOutput.Dense;
import io.knabla.functions.decoder.folder.EncoderOutput.Embedding;
import io.knabla.functions.decoder.folder.EncoderOutput.Normalize;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import io.knabla.functions.decoder.folder.EncoderOutput.Step;
import java.util.List;
import java.util.Map;

/** Adds what makes one vector or one number of the tokens' hidden states, [batch, tokens, width]. */
final class EncoderHeads {
    /** As PyTorch's normalize: a vector of zeros stays one. */
    private static final double SMALLEST_LENGTH = 1e-12;

    private final EncoderParts parts;
    private final EncoderConfig config;
    private final GraphNodes nodes;
    private final TokenPooling pooling;

    /** A head is small, and a rounded one would cost more accuracy than it saves. */
    private final LinearMaps linear;

    EncoderHeads(EncoderParts parts, TokenPooling pooling) {
        this.parts = parts;
        this.config = parts.config();
        this.nodes = parts.nodes();
        this.pooling = pooling;
        var products = new MatrixProducts(nodes, parts.file().weights(), new Precision.Float32());
        this.linear = new LinearMaps(parts.stored(), products);
    }

    /** Gives [batch, width]; the last division by the length is left to who reads it. */
    void embed(String output, String hidden, Embedding embedding) {
        List<Step> steps = embedding.normalized()
                ? embedding.steps().subList(0, embedding.steps().size() - 1)
                : embedding.steps();
        String vector = steps.isEmpty() ? output : "vector";
        pooling.add(vector, hidden, embedding.pooling());
        for (int step = 0; step < steps.size(); step++) {
            String next = step == steps.size() - 1 ? output : "vector." + step;
            switch (steps.get(step)) {
                case Normalize() -> normalize(next, vector);
                case Dense dense -> dense(next, vector, dense);
            }
            vector = next;
        }
    }

    private void normalize(String output, String vector) {
        String axis = nodes.integers(output + ".axis", -1);
        String length = nodes.onnx(output + ".length", "ReduceL2", List.of(vector, axis), Map.of("keepdims", 1));
        String smallest = nodes.number(output + ".smallest", SMALLEST_LENGTH);
        String divisor = nodes.onnx(output + ".divisor", "Max", List.of(length, smallest), Map.of());
        nodes.onnx(output, "Div", List.of(vector, divisor), Map.of());
    }

    private void dense(String output, String vector, Dense dense) {
        String product = linear.add(dense.name() + "linear", vector, dense.output(), dense.input(), dense.biased());
        new Activations(nodes).add(output, product, dense.activation());
    }

    /** Gives [batch, 1]. */
    void score(String output, String hidden, ScoreFunction function) {
        String vector = "first.hidden";
        boolean mean = config.modern().map(it -> it.head().mean()).orElse(false);
        pooling.add(vector, hidden, mean ? Pooling.MEAN : Pooling.CLS);
        String logit = switch (config.architecture().family()) {
            case BERT -> logit(vector, parts.prefix() + "pooler.dense", Activation.TANH, "classifier");
            case ROBERTA, MPNET -> logit(vector, "classifier.dense", Activation.TANH, "classifier.out_proj");
            case DISTILBERT -> logit(vector, "pre_classifier", Activation.RELU, "classifier");
            case MODERNBERT -> logit(vector, config.modern().orElseThrow());
        };
        nodes.onnx(output, function == ScoreFunction.SIGMOID ? "Sigmoid" : "Identity", List.of(logit), Map.of());
    }

    private String logit(String vector, String dense, Activation activation, String last) {
        String pooled = product(dense, vector, config.width(), true);
        return product(last, new Activations(nodes).add("pooled", pooled, activation), 1, true);
    }

    private String logit(String vector, ModernBert modern) {
        String dense =
                product("head.dense", vector, config.width(), modern.head().biased());
        String pooled =
                new Activations(nodes).add("pooled", dense, modern.head().activation());
        String normed = parts.norms().add("pooled.normed", pooled, "head.norm", modern.normBias());
        return product("classifier", normed, 1, true);
    }

    private String product(String name, String input, int rows, boolean biased) {
        return linear.add(name, input, rows, config.width(), biased);
    }
}
