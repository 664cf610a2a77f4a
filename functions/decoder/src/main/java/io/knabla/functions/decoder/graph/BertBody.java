package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import io.knabla.functions.decoder.config.EncoderConfig;
import java.util.List;
import java.util.Map;

/** Adds the embeddings and layers of BERT and its kin, which learn positions. */
final class BertBody {
    private final EncoderParts parts;
    private final EncoderConfig config;
    private final GraphNodes nodes;
    private final String types;

    /** @param types name of the input of the tokens' types; empty if all have type 0 */
    BertBody(EncoderParts parts, String types) {
        this.parts = parts;
        this.config = parts.config();
        this.nodes = parts.nodes();
        this.types = types;
    }

    /** Gives hidden states, [batch · tokens, width]. */
    String add() {
        String hidden = embedded();
        String layers = parts.prefix()
                + EncoderTensors.of(config.architecture().family()).layers();
        String bias = bias();
        for (int layer = 0; layer < config.layers(); layer++) {
            hidden = new EncoderLayer(parts, layers + layer + ".").add(hidden, bias);
        }
        return hidden;
    }

    /** Empty where distances of tokens do not count. */
    private String bias() {
        return config.positionBuckets() == 0
                ? ""
                : new RelativePositionBias(config, parts.stored(), parts.file())
                        .add(
                                parts.prefix() + "encoder.relative_attention_bias.weight",
                                parts.lengths().distances());
    }

    /** The sum of the embeddings of words, positions and types, if there are any, normalised. */
    private String embedded() {
        int width = config.width();
        var words = parts.products()
                .matrix(
                        "words",
                        List.of(parts.stored().get(name("word_embeddings.weight"), config.vocabulary(), width)));
        String sum = nodes.onnx(
                "embedded.positions",
                "Add",
                List.of(parts.products().rows("embedded.words", EncoderParts.TOKENS, words), positions()),
                Map.of());
        String all = config.types() == 0 ? sum : nodes.onnx("embedded.types", "Add", List.of(sum, types()), Map.of());
        return parts.shapes().flat("embedded.flat", parts.norms().add("embedded", all, name("LayerNorm")), width);
    }

    private String name(String tensor) {
        return parts.prefix() + "embeddings." + tensor;
    }

    private String positions() {
        String table = table("position_embeddings.weight", config.positions());
        String ids = switch (config.architecture().family().counting()) {
            case FROM_ZERO -> parts.lengths().indices();
            case BEHIND_PADDING -> countedBehindPadding();
        };
        return nodes.onnx("positions", "Gather", List.of(table, ids), Map.of());
    }

    /** As RoBERTa counts: a padding token, wherever it stands, does not count and has the position of its id. */
    private String countedBehindPadding() {
        String pad = nodes.integers("pad", config.padToken());
        String padding = nodes.onnx("padding", "Equal", List.of(EncoderParts.TOKENS, pad), Map.of());
        String isText = nodes.onnx("not.padding", "Not", List.of(padding), Map.of());
        String ones = nodes.onnx("counted", "Cast", List.of(isText), Map.of("to", DataType.INT64.getNumber()));
        String axis = nodes.integer("axis.tokens", 1);
        String sums = nodes.onnx("count", "CumSum", List.of(ones, axis), Map.of());
        String counted = nodes.onnx("count.text", "Mul", List.of(sums, ones), Map.of());
        return nodes.onnx("position.ids", "Add", List.of(counted, pad), Map.of());
    }

    private String types() {
        String table = table("token_type_embeddings.weight", config.types());
        String ids = types.isEmpty() ? nodes.integers("type", 0) : types;
        return nodes.onnx("types", "Gather", List.of(table, ids), Map.of());
    }

    private String table(String tensor, int rows) {
        var form = new WeightForm.Rows(List.of(parts.stored().get(name(tensor), rows, config.width())), 0);
        return parts.file().weights().add(name(tensor), form, rows, config.width());
    }
}
