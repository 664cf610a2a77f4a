package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files by which <a href="https://github.com/huggingface/sentence-transformers">sentence-transformers</a> says how
 * tokens' vectors become a text's. What is wrong with them is told in {@code faults}.
 */
public final class SentenceFiles {
    private static final String MODULES = "modules.json";
    private static final String TRANSFORMER = "sentence_bert_config.json";
    private static final String PROMPTS = "config_sentence_transformers.json";
    private static final String TOKENIZER = "tokenizer_config.json";

    private final Path folder;
    private final List<Fault> faults;
    private final List<String> warnings = new ArrayList<>();

    SentenceFiles(Path folder, List<Fault> faults) {
        this.folder = folder;
        this.faults = faults;
    }

    /** Names of those that are read, which need not be there. */
    public static List<String> names(Path folder) {
        List<String> names = new ArrayList<>(List.of(MODULES, TRANSFORMER, PROMPTS, TOKENIZER));
        for (JsonNode module : new FolderJson(folder, MODULES, new ArrayList<>()).list()) {
            if (kind(module).equals("Pooling") && isPlain(path(module))) {
                names.add(poolingFile(module));
            }
        }
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
    EncoderOutput.Embedding embedding(Optional<Integer> width) {
        warnOfPrompt();
        var modules = new FolderJson(folder, MODULES, faults);
        if (!modules.exists()) {
            warnings.add(
                    "the folder has no modules.json, so an embedding is the mean of its tokens' vectors, not normalised, as sentence-transformers does it");
            return new EncoderOutput.Embedding(Pooling.MEAN, false);
        }
        Optional<Pooling> pooling = Optional.empty();
        boolean normalized = false;
        for (JsonNode module : modules.list()) {
            switch (kind(module)) {
                case "Transformer" -> checkPlace(module);
                case "Pooling" -> pooling = pooling(module, width);
                case "Normalize" -> normalized = true;
                default ->
                    fault(
                            MODULES,
                            "has a module of type '%s'; known are Transformer, Pooling and Normalize",
                            module.path("type").asText());
            }
        }
        if (pooling.isEmpty() && faults.isEmpty()) {
            fault(MODULES, "has no module of type Pooling, so tokens would not become one vector");
        }
        return new EncoderOutput.Embedding(pooling.orElse(Pooling.MEAN), normalized);
    }

    private void checkPlace(JsonNode module) {
        if (!path(module).isEmpty()) {
            fault(
                    MODULES,
                    "keeps its Transformer in folder '%s'; move the files of that folder beside modules.json and write path \"\"",
                    path(module));
        }
    }

    private Optional<Pooling> pooling(JsonNode module, Optional<Integer> width) {
        if (!isPlain(path(module))) {
            fault(MODULES, "has path '%s'; the name of a folder in this one is needed", path(module));
            return Optional.empty();
        }
        String file = poolingFile(module);
        var json = new FolderJson(folder, file, faults);
        if (!json.exists()) {
            fault(file, "missing; modules.json names it");
            return Optional.empty();
        }
        JsonNode tree = json.tree();
        JsonNode given =
                tree.path(tree.has("embedding_dimension") ? "embedding_dimension" : "word_embedding_dimension");
        if (width.isPresent() && given.isNumber() && given.asInt() != width.get()) {
            fault(file, "is for vectors of %s elements, but those of config.json have %d", given, width.get());
        }
        return pooling(tree, file);
    }

    private Optional<Pooling> pooling(JsonNode tree, String file) {
        List<String> modes = modes(tree);
        if (modes.size() != 1) {
            fault(file, "has the modes %s of pooling; one is needed, of cls, mean and max", modes);
            return Optional.empty();
        }
        return switch (modes.getFirst()) {
            case "cls", "cls_token" -> Optional.of(Pooling.CLS);
            case "mean", "mean_tokens" -> Optional.of(Pooling.MEAN);
            case "max", "max_tokens" -> Optional.of(Pooling.MAX);
            default -> {
                fault(file, "has the mode '%s' of pooling; known are cls, mean and max", modes.getFirst());
                yield Optional.empty();
            }
        };
    }

    /** Newer files name them, older ones have a flag for each. */
    private static List<String> modes(JsonNode tree) {
        List<String> modes = new ArrayList<>();
        JsonNode named = tree.path("pooling_mode");
        if (named.isTextual()) {
            modes.add(named.textValue());
        }
        named.valueStream().map(JsonNode::asText).forEach(modes::add);
        tree.properties().stream()
                .filter(entry -> entry.getKey().startsWith("pooling_mode_")
                        && entry.getValue().asBoolean())
                .map(entry -> entry.getKey().substring("pooling_mode_".length()))
                .forEach(modes::add);
        return modes;
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
        int most = positions.orElse(1);
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

    private void warnOfPrompt() {
        JsonNode prompt = new FolderJson(folder, PROMPTS, faults).tree().path("default_prompt_name");
        if (prompt.isTextual()) {
            warnings.add("%s has the default prompt '%s', which is not added here; begin texts with it"
                    .formatted(PROMPTS, prompt.textValue()));
        }
    }

    private void fault(String file, String message, Object... values) {
        faults.add(new Fault(file, message.formatted(values)));
    }

    /** The class's name without its package, which differs between versions. */
    private static String kind(JsonNode module) {
        String type = module.path("type").asText();
        return type.substring(type.lastIndexOf('.') + 1);
    }

    private static String path(JsonNode module) {
        return module.path("path").asText();
    }

    private static String poolingFile(JsonNode module) {
        return path(module) + "/config.json";
    }

    private static boolean isPlain(String name) {
        return name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*");
    }
}
