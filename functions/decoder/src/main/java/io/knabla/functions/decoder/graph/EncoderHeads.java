package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.config.EncoderConfig.ScoreFunction;
import io.knabla.functions.decoder.folder.EncoderOutput.Dense;
import io.knabla.functions.decoder.folder.EncoderOutput.Embedding;
import io.knabla.functions.decoder.folder.EncoderOutput.Normalize;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import io.knabla.functions.decoder.folder.EncoderOutput.Step;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/** Adds what makes one vector or one number of the tokens' hidden states, [batch, tokens, width]. */
final class EncoderHeads {
    /** As PyTorch's normalize: a vector of zeros stays one. */
    private static final double SMALLEST_LENGTH = 1e-12;

    private final EncoderConfig config;
    private final WeightIndex stored;
    private final GraphNodes nodes;
    private final TokenPooling pooling;
    private final String prefix;

    /** A head is small, and a rounded one would cost more accuracy than it saves. */
    private final MatrixProducts products;

    EncoderHeads(EncoderConfig config, WeightIndex stored, GraphFile file, TokenPooling pooling, String prefix) {
        this.config = config;
        this.stored = stored;
        this.nodes = file.nodes();
        this.pooling = pooling;
        this.prefix = prefix;
        this.products = new MatrixProducts(nodes, file.weights(), new Precision.Float32());
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
        String name = dense.name() + "linear";
        StoredTensor weight = stored.get(name + ".weight", dense.output(), dense.input());
        List<StoredTensor> bias = dense.biased() ? List.of(stored.get(name + ".bias", dense.output())) : List.of();
        String product = products.product(name, vector, products.matrix(name + ".matrix", List.of(weight)), bias);
        new Activations(nodes).add(output, product, dense.activation());
    }

    /** Gives [batch, 1]. */
    void score(String output, String hidden, ScoreFunction function) {
        String first = "first.hidden";
        pooling.add(first, hidden, Pooling.CLS);
        String logit = switch (config.architecture().family()) {
            case BERT -> logit(first, prefix + "pooler.dense", "Tanh", "classifier");
            case ROBERTA, MPNET -> logit(first, "classifier.dense", "Tanh", "classifier.out_proj");
            case DISTILBERT -> logit(first, "pre_classifier", "Relu", "classifier");
        };
        nodes.onnx(output, function == ScoreFunction.SIGMOID ? "Sigmoid" : "Identity", List.of(logit), Map.of());
    }

    private String logit(String first, String dense, String activation, String last) {
        String pooled = product(dense, first, config.width());
        return product(last, nodes.onnx("pooled", activation, List.of(pooled), Map.of()), 1);
    }

    private String product(String name, String input, int rows) {
        var weight = stored.get(name + ".weight", rows, config.width());
        var bias = stored.get(name + ".bias", rows);
        return products.product(name, input, products.matrix(name + ".matrix", List.of(weight)), List.of(bias));
    }
}
