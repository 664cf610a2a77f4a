package io.knabla.functions.decoder;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Parameters, memory and work per token of a decoder, counted from its folder.
 *
 * @param architecture its name in config.json
 * @param layers number of layers
 * @param contextLength most tokens of a sequence
 * @param vocabulary number of tokens
 * @param tokenizerBytes of the compiled tokenizer
 * @param parameters weights, each counted once
 * @param flopsPerToken floating-point operations of one token with nothing before it; a multiply-add counts as two
 * @param attentionFlopsPerToken operations more for each token before it
 * @param keyValueBytesPerToken memory of the keys and values of one token, as 32-bit numbers
 * @param int8KeyValueBytesPerToken the same as whole numbers of 8 bits
 * @param precisions what the weights take as they are, and rounded to 8 and to 4 bits
 */
public record DecoderAnalysis(
        String architecture,
        int layers,
        int contextLength,
        int vocabulary,
        long tokenizerBytes,
        long parameters,
        long flopsPerToken,
        long attentionFlopsPerToken,
        long keyValueBytesPerToken,
        long int8KeyValueBytesPerToken,
        List<PrecisionCost> precisions) {
    private static final int BLOCK = 128;

    public DecoderAnalysis {
        precisions = List.copyOf(precisions);
    }

    /**
     * What the weights take in one precision.
     *
     * @param name {@code None}, {@code Int8} or {@code Int4}
     * @param weightBytes of the whole unit
     * @param bytesPerToken weights that are read for one token
     */
    public record PrecisionCost(String name, long weightBytes, long bytesPerToken) {}

    /** Result of an analysis. */
    public sealed interface Result {
        record Done(DecoderAnalysis analysis) implements Result {}

        record Refused(List<Fault> faults) implements Result {}
    }

    /** @throws IOException if a file of the folder cannot be read */
    public static Result of(Path folder) throws IOException {
        return switch (ModelFolder.open(folder)) {
            case ModelFolder.Opened.Refused(var faults) -> new Result.Refused(faults);
            case ModelFolder.Opened.Model(var model) -> {
                var costs = costs(model);
                List<Fault> faults = model.weights().faults();
                yield faults.isEmpty() ? new Result.Done(of(model, costs)) : new Result.Refused(faults);
            }
        };
    }

    /** Tokens a second of one sequence that the machine's memory allows: each token reads all weights. */
    public static double mostTokensPerSecond(PrecisionCost precision, Machine machine) {
        return machine.bytesPerSecond() / precision.bytesPerToken();
    }

    /** Tokens of a prompt a second that the machine's arithmetic allows. */
    public double mostPromptTokensPerSecond(Machine machine) {
        return machine.flops() / flopsPerToken;
    }

    /** Plans the graph in each precision, which asks for every weight. */
    private static List<PrecisionCost> costs(ModelFolder model) {
        return List.of(
                cost(model, "None", new Precision.Float32()),
                cost(model, "Int8", new Precision.Int8(BLOCK)),
                cost(model, "Int4", new Precision.Int4(BLOCK)));
    }

    private static PrecisionCost cost(ModelFolder model, String name, Precision precision) {
        long written = DecoderGraph.of(model, precision, 1).weightBytes();
        return new PrecisionCost(name, written, Math.round(multiplied(model) * precision.bitsPerWeight() / Byte.SIZE));
    }

    private static DecoderAnalysis of(ModelFolder model, List<PrecisionCost> costs) {
        DecoderConfig config = model.config();
        return new DecoderAnalysis(
                config.architecture().className(),
                config.layers().size(),
                config.contextLength(),
                config.vocabulary(),
                model.tokenizer().length,
                model.weights().parameters(),
                2 * multiplied(model),
                4L * config.attention().queryWidth() * config.layers().size(),
                CacheType.FLOAT32.bytes() * config.keyValueNumbers(),
                CacheType.INT8.bytes() * config.keyValueNumbers(),
                costs);
    }

    /**
     * Cost of one token of a packaged decoder.
     *
     * @param weightBytes of the unit
     * @param keyValueBytes memory for keys and values of all sequences
     */
    public static Analysis cost(ModelFolder model, long weightBytes, long keyValueBytes) {
        return new TokenCost(model.weights().parameters(), 2 * multiplied(model), weightBytes, keyValueBytes)
                .analysis();
    }

    /** Weights that each token is multiplied with: of embeddings that are no matrices too, it takes one row. */
    private static long multiplied(ModelFolder model) {
        DecoderConfig config = model.config();
        long looked = (config.tiedEmbeddings() ? 0L : config.vocabulary()) + config.learnedPositions();
        return model.weights().parameters() - looked * config.width();
    }
}
