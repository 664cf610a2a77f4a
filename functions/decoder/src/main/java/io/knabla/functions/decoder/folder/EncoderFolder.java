package io.knabla.functions.decoder.folder;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.EncoderArchitecture.Family;
import io.knabla.functions.decoder.config.EncoderArchitecture.Head;
import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.config.EncoderJson;
import io.knabla.functions.decoder.folder.EncoderOutput.Dense;
import io.knabla.functions.decoder.folder.EncoderOutput.Step;
import io.knabla.functions.tokenizer.Tokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An encoder's folder: its sizes, its weights, its tokenizer, and what it gives for a text.
 *
 * @param maxTokens most tokens of a text, those that the tokenizer adds included
 * @param typed whether tokens have the types that the tokenizer gives them; otherwise all have type 0
 * @param tokenizer the compiled table, which {@link io.knabla.functions.tokenizer.Tokenizer} opens
 * @param warnings findings that do not prevent packaging
 */
public record EncoderFolder(
        EncoderConfig config,
        EncoderOutput output,
        int maxTokens,
        boolean typed,
        WeightIndex weights,
        byte[] tokenizer,
        List<String> warnings) {
    public EncoderFolder {
        warnings = List.copyOf(warnings);
    }

    /** Result of opening a folder. */
    public sealed interface Opened {
        record Model(EncoderFolder folder) implements Opened {}

        record Refused(List<Fault> faults) implements Opened {}
    }

    /**
     * Reads config.json, the files of sentence-transformers and the headers of all weights, and compiles the tokenizer.
     * What is wrong with other files than the first is among the faults of the weights, which are complete when the
     * graph was planned.
     *
     * @throws IOException if a file cannot be read; one that is missing is a fault
     */
    public static Opened open(Path folder) throws IOException {
        List<Fault> faults = new ArrayList<>();
        Optional<EncoderConfig> config =
                ModelFolder.configBytes(folder, faults).flatMap(json -> EncoderJson.read(json, faults));
        Map<String, StoredTensor> tensors = WeightFiles.find(folder, "", faults);
        Optional<byte[]> tokenizer = TokenizerFile.table(folder, faults);
        var sentences = new SentenceFiles(folder, faults);
        boolean scores =
                config.filter(it -> it.architecture().head() == Head.SCORE).isPresent();
        int most = sentences.maxTokens(config.map(EncoderConfig::maxTokens));
        var prompts =
                new SentencePrompts(folder, tokenizer.map(table -> Tokenizer.of(ByteBuffer.wrap(table))), most, faults);
        EncoderOutput output = scores
                ? new EncoderOutput.Score(config.get().score())
                : sentences.embedding(
                        config.stream().mapToInt(EncoderConfig::width).findFirst(), prompts);
        config.ifPresent(it -> tokenizer.ifPresent(table -> TokenizerFile.checkSize(table, it.vocabulary(), faults)));
        // Without its sizes or its weights, no more can be told of a model.
        if (config.isEmpty() || tensors.isEmpty()) {
            return new Opened.Refused(List.copyOf(faults));
        }
        for (String inside : modules(output)) {
            tensors.putAll(WeightFiles.find(folder, inside, faults));
        }
        boolean typed = config.get().architecture().family() == Family.BERT && sentences.hasTypes();
        var weights = new WeightIndex(tensors, faults);
        return new Opened.Model(new EncoderFolder(
                config.get(), output, most, typed, weights, tokenizer.orElse(new byte[0]), sentences.warnings()));
    }

    /** Beginnings of the names of the tensors that are in folders of their own. */
    private static List<String> modules(EncoderOutput output) {
        return switch (output) {
            case EncoderOutput.Score _ -> List.of();
            case EncoderOutput.Embedding(var _, List<Step> steps, int _, var _) ->
                steps.stream()
                        .filter(Dense.class::isInstance)
                        .map(step -> ((Dense) step).name())
                        .toList();
        };
    }
}
