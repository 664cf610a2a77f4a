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

    private static final String TYPES = "token_type_ids";
    private static final String LEFT_OUT = "left_out";
    private static final String OUTPUT = "output";

    private final EncoderConfig config;
    private final EncoderOutput result;
    private final boolean typed;
    private final WeightIndex stored;
    private final GraphFile file = new GraphFile("encoder", WEIGHTS);
    private final EncoderParts parts;

    private EncoderGraph(EncoderFolder folder, Precision precision) {
        this.config = folder.config();
        this.result = folder.output();
        this.typed = folder.typed();
        this.stored = folder.weights();
        GraphNodes nodes = file.nodes();
        this.parts = new EncoderParts(
                config,
                stored,
                file,
                new ShapeNodes(nodes, EncoderParts.TOKENS),
                new LengthNodes(nodes, EncoderParts.TOKENS, LENGTHS),
                new MatrixProducts(nodes, file.weights(), precision),
                prefix(config.architecture(), stored));
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
        String words = architecture.family().words();
        boolean bare = architecture.head() != Head.SCORE && stored.has(words);
        boolean named = architecture.head() != Head.NONE || stored.has(own + words);
        return named && !bare ? own : "";
    }

    /** What training needed, and an embedding or a score does not. */
    private void leaveOut() {
        stored.leaveOut(parts.prefix() + "embeddings.position_ids");
        if (result instanceof EncoderOutput.Embedding) {
            List<String> heads = config.modern().isPresent()
                    ? List.of("head.", "decoder.")
                    : List.of(parts.prefix() + "pooler.", "cls.", "lm_head.", "vocab_");
            heads.forEach(stored::leaveOut);
        }
    }

    private void build() {
        file.input(EncoderParts.TOKENS, DataType.INT64, "batch", "tokens");
        file.input(LENGTHS, DataType.INT32, "batch");
        if (typed) {
            file.input(TYPES, DataType.INT64, "batch", "tokens");
        }
        String hidden = config.modern()
                .map(modern -> new ModernBertBody(parts, modern).add())
                .orElseGet(() -> new BertBody(parts, typed ? TYPES : "").add());
        String tokens = parts.shapes().batched("hidden", hidden);
        var heads = new EncoderHeads(parts, new TokenPooling(parts.nodes(), parts.lengths(), leftOut()));
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
}
