package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the config.json of a module of type Pooling. */
record PoolingFile(FolderJson json) {

    /** Whether the tokens of a prompt are pooled with the text's. */
    boolean includesPrompt() {
        return json.object().flag("include_prompt", true);
    }

    /** @param width elements of a token's vector, if it is known */
    Optional<Pooling> read(OptionalInt width) {
        JsonNode tree = json.tree();
        JsonNode given =
                tree.path(tree.has("embedding_dimension") ? "embedding_dimension" : "word_embedding_dimension");
        if (width.isPresent() && given.isNumber() && given.asInt() != width.getAsInt()) {
            fault("is for vectors of %s elements, but those of config.json have %d", given, width.getAsInt());
        }
        List<String> modes = modes(tree);
        if (modes.size() != 1) {
            fault("has the modes %s of pooling; one is needed, of cls, mean and max", modes);
            return Optional.empty();
        }
        return switch (modes.getFirst()) {
            case "cls", "cls_token" -> Optional.of(Pooling.CLS);
            case "mean", "mean_tokens" -> Optional.of(Pooling.MEAN);
            case "max", "max_tokens" -> Optional.of(Pooling.MAX);
            default -> {
                fault("has the mode '%s' of pooling; known are cls, mean and max", modes.getFirst());
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

    private void fault(String message, Object... values) {
        json.faults().add(new Fault(json.file(), message.formatted(values)));
    }
}
