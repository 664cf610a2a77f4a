package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.folder.WeightIndex;
import io.knabla.functions.decoder.graph.MatrixProducts.Matrix;
import io.knabla.functions.unit.generation.CacheType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A decoder as an ONNX graph around ONNX Runtime's GroupQueryAttention. Keys and values of a sequence lie in buffers
 * that are input and output of a run at once.
 *
 * <p>Inputs: {@code input_ids} [batch, tokens]; {@code seqlens_k} [batch], each sequence's length with its new tokens,
 * less one; {@code total_sequence_length}, the longest of them; {@code logit_rows} [rows], indices into all tokens of
 * the batch; for each layer {@code past.L.key} and {@code past.L.value} [batch, keyValueHeads, positions, headWidth].
 * Outputs: {@code logits} [rows, vocabulary] and {@code present.L.key}, {@code present.L.value}, which have the shapes
 * of the past. With keys and values of 8 bits, a file of their scales must lie beside the graph:
 * {@link io.knabla.functions.unit.generation.GenerationSettings#CACHE_SCALES}.
 */
public final class DecoderGraph implements PackagedGraph {
    static final String LAST_POSITIONS = "seqlens_k";
    static final String LONGEST = "total_sequence_length";

    private static final String TOKENS = "input_ids";
    private static final String ROWS = "logit_rows";
    private static final String LOGITS = "logits";

    private final DecoderConfig config;
    private final WeightIndex stored;
    private final GraphFile file;
    private final WeightLayout weights;
    private final GraphNodes nodes;
    private final ShapeNodes shapes;
    private final MatrixProducts products;
    private final DecoderTensors tensors;
    private final DecoderNorms norms;
    private final KeyValueCache cache;

    private DecoderGraph(ModelFolder folder, Precision precision, CacheType cache, String weightsFile) {
        this.file = new GraphFile("decoder", weightsFile);
        this.weights = file.weights();
        this.nodes = file.nodes();
        this.shapes = new ShapeNodes(nodes, TOKENS);
        this.config = folder.config();
        this.stored = folder.weights();
        this.products = new MatrixProducts(nodes, weights, precision);
        this.tensors = DecoderTensors.of(config, stored);
        this.norms = new DecoderNorms(config, stored, weights, nodes);
        this.cache = new KeyValueCache(cache);
    }

    /**
     * Plans the graph, with keys and values of 32 bits; faults of the folder's weights are then in
     * {@link WeightIndex#faults}.
     *
     * @param positions the longest sequence
     */
    public static DecoderGraph of(ModelFolder folder, Precision precision, int positions) {
        return of(folder, precision, CacheType.FLOAT32, positions, WEIGHTS);
    }

    /**
     * As {@link #of(ModelFolder, Precision, int)}, with a type of keys and values and the name of the weights' file.
     */
    public static DecoderGraph of(
            ModelFolder folder, Precision precision, CacheType cache, int positions, String weightsFile) {
        var decoder = new DecoderGraph(folder, precision, cache, weightsFile);
        decoder.build(positions);
        return decoder;
    }

    @Override
    public String weightsFile() {
        return file.weightsFile();
    }

    @Override
    public long weightBytes() {
        return weights.bytes();
    }

    @Override
    public void write(Path graph) throws IOException {
        file.write(graph);
    }

    static String pastKey(int layer) {
        return "past.%d.key".formatted(layer);
    }

    static String pastValue(int layer) {
        return "past.%d.value".formatted(layer);
    }

    static String presentKey(int layer) {
        return "present.%d.key".formatted(layer);
    }

    static String presentValue(int layer) {
        return "present.%d.value".formatted(layer);
    }

    private void build(int positions) {
        interfaces();
        RotaryTables.add(config, positions, weights);
        cache.addScales(config, file);
        Matrix embedding = products.matrix("embedding", List.of(tensors.embedding()));
        String hidden = embedded(embedding);
        var parts = new LayerGraph.Parts(nodes, shapes, products);
        for (int layer = 0; layer < config.layers().size(); layer++) {
            hidden = new LayerGraph(config, tensors.layer(layer), norms, parts, cache, layer).add(hidden);
        }
        logits(hidden, embedding);
    }

    private String embedded(Matrix embedding) {
        String rows = products.rows("embedded", shapes.row("tokens"), embedding);
        if (config.architecture().isGemma()) {
            String root = nodes.number("embedding.factor", Math.sqrt(config.width()));
            return nodes.onnx("embedded.scaled", "Mul", List.of(rows, root), Map.of());
        }
        return tensors.positions().map(table -> positioned(rows, table)).orElse(rows);
    }

    private String positioned(String rows, StoredTensor table) {
        String values = weights.add(
                table.name(), new WeightForm.Rows(List.of(table), 0), config.learnedPositions(), config.width());
        return new LearnedPositions(nodes, TOKENS, LAST_POSITIONS).add(rows, values);
    }

    /** Only the tokens after which one is chosen have logits: a vocabulary's product costs as much as some layers. */
    private void logits(String hidden, Matrix embedding) {
        String last = nodes.onnx("last", "Gather", List.of(hidden, ROWS), Map.of());
        String normed = norms.add(last, tensors.lastNorm(), config.width());
        String capped = config.logitSoftcap().isPresent() ? "logits.raw" : LOGITS;
        products.product(capped, normed, head(embedding));
        config.logitSoftcap().ifPresent(cap -> softcap(capped, cap));
    }

    private Matrix head(Matrix embedding) {
        String name = "lm_head.weight";
        if (config.tiedEmbeddings() && !stored.has(name)) {
            return embedding;
        }
        var tensor = stored.get(name, config.vocabulary(), config.width());
        // Some files repeat a tied embedding.
        return config.tiedEmbeddings() ? embedding : products.matrix("head", List.of(tensor));
    }

    private void softcap(String raw, double cap) {
        String limit = nodes.number("logits.cap", cap);
        String ratio = nodes.onnx("logits.ratio", "Div", List.of(raw, limit), Map.of());
        String bent = nodes.onnx("logits.tanh", "Tanh", List.of(ratio), Map.of());
        nodes.onnx(LOGITS, "Mul", List.of(bent, limit), Map.of());
    }

    private void interfaces() {
        file.input(TOKENS, DataType.INT64, "batch", "tokens");
        file.input(LAST_POSITIONS, DataType.INT32, "batch");
        file.input(LONGEST, DataType.INT32);
        file.input(ROWS, DataType.INT64, "rows");
        file.output(LOGITS, DataType.FLOAT, "rows", config.vocabulary());
        var attention = config.attention();
        Object[] sizes = {"batch", attention.keyValueHeads(), "positions", attention.headWidth()};
        for (int layer = 0; layer < config.layers().size(); layer++) {
            file.input(pastKey(layer), cache.numbers(), sizes);
            file.input(pastValue(layer), cache.numbers(), sizes);
            file.output(presentKey(layer), cache.numbers(), sizes);
            file.output(presentValue(layer), cache.numbers(), sizes);
        }
    }
}
