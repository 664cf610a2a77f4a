package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import io.knabla.functions.decoder.config.EncoderArchitecture;
import io.knabla.functions.decoder.config.EncoderArchitecture.Head;
import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.folder.EncoderFolder;
import io.knabla.functions.decoder.folder.EncoderOutput;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An encoder as an ONNX graph around ONNX Runtime's MultiHeadAttention, for texts of different lengths at once.
 *
 * <p>Inputs: {@code input_ids} [batch, tokens], filled up with the padding token; {@code lengths} [batch], each text's
 * tokens; for models with types {@code token_type_ids} [batch, tokens]; for models that leave prompts out
 * {@code left_out} [batch], each text's first tokens that do not count. Output: {@code output}, the texts' vectors
 * [batch, width], without the last normalisation, or the scores [batch, 1].
 */
public final class EncoderGraph implements PackagedGraph {
    static final String LENGTHS = "lengths";

    private static final String TOKENS = "input_ids";
    private static final String TYPES = "token_type_ids";
    private static final String LEFT_OUT = "left_out";
    private static final String OUTPUT = "output";

    private final EncoderConfig config;
    private final EncoderOutput result;
    private final boolean typed;
    private final WeightIndex stored;
    private final GraphFile file = new GraphFile("encoder", WEIGHTS);
    private final GraphNodes nodes = file.nodes();
    private final ShapeNodes shapes = new ShapeNodes(nodes, TOKENS);
    private final LengthNodes lengths = new LengthNodes(nodes, TOKENS, LENGTHS);
    private final LayerNorms norms;
    private final MatrixProducts products;
    private final String prefix;

    private EncoderGraph(EncoderFolder folder, Precision precision) {
        this.config = folder.config();
        this.result = folder.output();
        this.typed = folder.typed();
        this.stored = folder.weights();
        this.norms = new LayerNorms(stored, file.weights(), nodes, config.width(), config.normEpsilon());
        this.products = new MatrixProducts(nodes, file.weights(), precision);
        this.prefix = prefix(config.architecture(), stored);
    }

    /** Plans the graph; faults of the folder's weights are then in {@link WeightIndex#faults}. */
    public static EncoderGraph of(EncoderFolder folder, Precision precision) {
        var encoder = new EncoderGraph(folder, precision);
        encoder.leaveOut();
        encoder.build();
        return encoder;
    }

    @Override
    public String weightsFile() {
        return file.weightsFile();
    }

    @Override
    public long weightBytes() {
        return file.weights().bytes();
    }

    @Override
    public void write(Path graph) throws IOException {
        file.write(graph);
    }

    /** A model without a head has it or not, by what it was saved from. */
    private static String prefix(EncoderArchitecture architecture, WeightIndex stored) {
        String own = architecture.family().prefix();
        boolean bare = architecture.head() != Head.SCORE && stored.has("embeddings.word_embeddings.weight");
        boolean named = architecture.head() != Head.NONE || stored.has(own + "embeddings.word_embeddings.weight");
        return named && !bare ? own : "";
    }

    /** What training needed, and an embedding or a score does not. */
    private void leaveOut() {
        stored.leaveOut(prefix + "embeddings.position_ids");
        if (result instanceof EncoderOutput.Embedding) {
            stored.leaveOut(prefix + "pooler.");
            stored.leaveOut("cls.");
            stored.leaveOut("lm_head.");
            stored.leaveOut("vocab_");
        }
    }

    private void build() {
        file.input(TOKENS, DataType.INT64, "batch", "tokens");
        file.input(LENGTHS, DataType.INT32, "batch");
        if (typed) {
            file.input(TYPES, DataType.INT64, "batch", "tokens");
        }
        String hidden = embedded();
        var parts = new LayerGraph.Parts(nodes, shapes, products);
        String layers =
                prefix + EncoderTensors.of(config.architecture().family()).layers();
        String bias = bias();
        for (int layer = 0; layer < config.layers(); layer++) {
            hidden = new EncoderLayer(config, stored, norms, parts, layers + layer + ".").add(hidden, bias);
        }
        String tokens = shapes.batched("hidden", hidden);
        var heads = new EncoderHeads(config, stored, file, new TokenPooling(nodes, lengths, leftOut()), prefix);
        file.output(OUTPUT, DataType.FLOAT, "batch", result.width());
        switch (result) {
            case EncoderOutput.Embedding embedding -> heads.embed(OUTPUT, tokens, embedding);
            case EncoderOutput.Score(var function) -> heads.score(OUTPUT, tokens, function);
        }
    }

    /** Only of models that leave prompts out, so that graphs of others stay as they are. */
    private Optional<String> leftOut() {
        if (!(result instanceof EncoderOutput.Embedding embedding
                && embedding.prompts().areLeftOut())) {
            return Optional.empty();
        }
        file.input(LEFT_OUT, DataType.INT32, "batch");
        return Optional.of(LEFT_OUT);
    }

    /** Empty where distances of tokens do not count. */
    private String bias() {
        return config.positionBuckets() == 0
                ? ""
                : new RelativePositionBias(config, stored, file)
                        .add(prefix + "encoder.relative_attention_bias.weight", lengths.indices());
    }

    /** The sum of the embeddings of words, positions and types, if there are any, normalised. */
    private String embedded() {
        int width = config.width();
        var words = products.matrix(
                "words", List.of(stored.get(name("word_embeddings.weight"), config.vocabulary(), width)));
        String sum = nodes.onnx(
                "embedded.positions",
                "Add",
                List.of(products.rows("embedded.words", TOKENS, words), positions()),
                Map.of());
        String all = config.types() == 0 ? sum : nodes.onnx("embedded.types", "Add", List.of(sum, types()), Map.of());
        return shapes.flat("embedded.flat", norms.add("embedded", all, name("LayerNorm")), width);
    }

    private String name(String tensor) {
        return prefix + "embeddings." + tensor;
    }

    private String positions() {
        String table = table("position_embeddings.weight", config.positions());
        String ids = switch (config.architecture().family().counting()) {
            case FROM_ZERO -> lengths.indices();
            case BEHIND_PADDING -> countedBehindPadding();
        };
        return nodes.onnx("positions", "Gather", List.of(table, ids), Map.of());
    }

    /** As RoBERTa counts: a padding token, wherever it stands, does not count and has the position of its id. */
    private String countedBehindPadding() {
        String pad = nodes.integers("pad", config.padToken());
        String padding = nodes.onnx("padding", "Equal", List.of(TOKENS, pad), Map.of());
        String isText = nodes.onnx("not.padding", "Not", List.of(padding), Map.of());
        String ones = nodes.onnx("counted", "Cast", List.of(isText), Map.of("to", DataType.INT64.getNumber()));
        String axis = nodes.integer("axis.tokens", 1);
        String sums = nodes.onnx("count", "CumSum", List.of(ones, axis), Map.of());
        String counted = nodes.onnx("count.text", "Mul", List.of(sums, ones), Map.of());
        return nodes.onnx("position.ids", "Add", List.of(counted, pad), Map.of());
    }

    private String types() {
        String table = table("token_type_embeddings.weight", config.types());
        String ids = typed ? TYPES : nodes.integers("type", 0);
        return nodes.onnx("types", "Gather", List.of(table, ids), Map.of());
    }

    private String table(String tensor, int rows) {
        var form = new WeightForm.Rows(List.of(stored.get(name(tensor), rows, config.width())), 0);
        return file.weights().add(name(tensor), form, rows, config.width());
    }
}
