package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the files of sentence-transformers beside a model: how tokens' vectors become a text's, and how long a text may
 * be. What is wrong with them is told in {@code faults}.
 */
public final class SentenceFiles {
    private static final String TRANSFORMER = "sentence_bert_config.json";
    private static final String TOKENIZER = "tokenizer_config.json";

    private final Path folder;
    private final List<Fault> faults;
    private final List<String> warnings = new ArrayList<>();

    SentenceFiles(Path folder, List<Fault> faults) {
        this.folder = folder;
        this.faults = faults;
    }

    /** Names of those that are read, which need not be there. */
    public static List<String> names(Path folder) throws IOException {
        List<String> names =
                new ArrayList<>(List.of(SentenceModules.FILE, TRANSFORMER, SentencePrompts.FILE, TOKENIZER));
        names.addAll(SentenceModules.files(folder));
        return names;
    }

    List<String> warnings() {
        return warnings;
    }

    /**
     * What modules.json and the files that it names say.
     *
     * @param width elements of a token's vector, if it is known
     */
    EncoderOutput.Embedding embedding(OptionalInt width, SentencePrompts prompts) {
        var modules = new SentenceModules(folder, faults);
        if (modules.exists()) {
            return modules.embedding(width, prompts);
        }
        warnings.add(
                "the folder has no modules.json, so an embedding is the mean of its tokens' vectors, not normalised, as sentence-transformers does it");
        return new EncoderOutput.Embedding(Pooling.MEAN, List.of(), width.orElse(1), prompts.read(true));
    }

    /**
     * The most tokens of a text that the files allow.
     *
     * @param positions that the model has, if they are known
     */
    int maxTokens(Optional<Integer> positions) {
        JsonNode transformer = new FolderJson(folder, TRANSFORMER, faults).tree();
        if (transformer.path("do_lower_case").asBoolean()) {
            fault(
                    TRANSFORMER,
                    "has do_lower_case true, which is not known; write false, and let tokenizer.json's normalizer do it");
        }
        int most = positions.orElse(Integer.MAX_VALUE);
        JsonNode own = transformer.path("max_seq_length");
        JsonNode limit = own.isNumber() ? own : tokenizerLimit();
        if (!limit.isNumber()) {
            return most;
        }
        if (limit.asDouble() < 1) {
            fault(own.isNumber() ? TRANSFORMER : TOKENIZER, "allows texts of %s tokens; 1 or more are needed", limit);
        }
        return (int) Math.clamp(limit.asDouble(), 1, most);
    }

    private JsonNode tokenizerLimit() {
        return tokenizer().path("model_max_length");
    }

    private JsonNode tokenizer() {
        return new FolderJson(folder, TOKENIZER, faults).tree();
    }

    /** Whether the tokenizer gives the model the types of tokens; otherwise all have type 0. */
    boolean hasTypes() {
        JsonNode inputs = tokenizer().path("model_input_names");
        return !inputs.isArray() || inputs.valueStream().map(JsonNode::asText).anyMatch("token_type_ids"::equals);
    }

    private void fault(String file, String message, Object... values) {
        faults.add(new Fault(file, message.formatted(values)));
    }
}
