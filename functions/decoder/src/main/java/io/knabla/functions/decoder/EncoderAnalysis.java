package io.knabla.functions.decoder;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.decoder.DecoderAnalysis.PrecisionCost;
import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.folder.EncoderFolder;
import io.knabla.functions.decoder.graph.EncoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Parameters, memory and work per token of an encoder, counted from its folder.
 *
 * @param architecture its name in config.json
 * @param output elements of a text's vector; 1 for a score
 * @param layers number of layers
 * @param maxTokens most tokens of a text
 * @param vocabulary number of tokens
 * @param tokenizerBytes of the compiled tokenizer
 * @param parameters weights, each counted once
 * @param flopsPerToken floating-point operations of one token in a text of its own; a multiply-add counts as two
 * @param attentionFlopsPerToken operations more for each other token of the text
 * @param precisions what the weights take as they are, and rounded to 8 and to 4 bits; all are read for each batch
 */
public record EncoderAnalysis(
        String architecture,
        int output,
        int layers,
        int maxTokens,
        int vocabulary,
        long tokenizerBytes,
        long parameters,
        long flopsPerToken,
        long attentionFlopsPerToken,
        List<PrecisionCost> precisions) {
    private static final int BLOCK = 128;

    /** Most tokens that a replica computes at once, if no text has more; see the runtime's BatchChooser. */
    private static final long BATCH_TOKENS = 2048;

    public EncoderAnalysis {
        precisions = List.copyOf(precisions);
    }

    /** Result of an analysis. */
    public sealed interface Result {
        record Done(EncoderAnalysis analysis) implements Result {}

        record Refused(List<Fault> faults) implements Result {}
    }

    /** @throws IOException if a file of the folder cannot be read */
    public static Result of(Path folder) throws IOException {
        return switch (EncoderFolder.open(folder)) {
            case EncoderFolder.Opened.Refused(var faults) -> new Result.Refused(faults);
            case EncoderFolder.Opened.Model(var model) -> {
                List<PrecisionCost> costs = List.of(
                        cost(model, "None", new Precision.Float32()),
                        cost(model, "Int8", new Precision.Int8(BLOCK)),
                        cost(model, "Int4", new Precision.Int4(BLOCK)));
                List<Fault> faults = model.weights().faults();
                yield faults.isEmpty() ? new Result.Done(of(model, costs)) : new Result.Refused(faults);
            }
        };
    }

    private static PrecisionCost cost(EncoderFolder model, String name, Precision precision) {
        long written = EncoderGraph.of(model, precision).weightBytes();
        return new PrecisionCost(name, written, written);
    }

    private static EncoderAnalysis of(EncoderFolder model, List<PrecisionCost> costs) {
        EncoderConfig config = model.config();
        return new EncoderAnalysis(
                config.architecture().className(),
                model.output().width(),
                config.layers(),
                model.maxTokens(),
                config.vocabulary(),
                model.tokenizer().length,
                model.weights().parameters(),
                2 * multiplied(model),
                attention(config),
                costs);
    }

    /** Tokens a second that the machine's arithmetic allows, in texts of so many tokens. */
    public double mostTokensPerSecond(int tokens, Machine machine) {
        return machine.flops() / (flopsPerToken + (double) attentionFlopsPerToken * tokens);
    }

    /**
     * Cost of one text of the most tokens, of a packaged encoder.
     *
     * @param weightBytes of the unit
     */
    public static Analysis cost(EncoderFolder model, long weightBytes) {
        long tokens = model.maxTokens();
        long flops = tokens * (2 * multiplied(model) + attention(model.config()) * tokens);
        return new TextCost(model.weights().parameters(), flops, weightBytes, memory(model.config(), tokens))
                .analysis(tokens);
    }

    private static long attention(EncoderConfig config) {
        return 4L * config.width() * config.layers();
    }

    /**
     * Of one run: hidden states of a batch, its queries, keys and values, both sides of a feed-forward network and its
     * gate, and the scores of each token with each other one.
     */
    private static long memory(EncoderConfig config, long tokens) {
        long batch = Math.max(tokens, BATCH_TOKENS);
        long states = 8L * config.width()
                + (config.modern().isPresent() ? 4L : 2L) * config.feedForward().width();
        return Float.BYTES * batch * (states + 2 * tokens * config.heads());
    }

    /** Weights that each token is multiplied with: embeddings are looked up. */
    private static long multiplied(EncoderFolder model) {
        return model.weights().parameters() - model.config().lookedUp();
    }
}
