package io.knabla.functions.packaging.generation;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.FolderJson;
import io.knabla.functions.unit.generation.SamplingDefaults;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How the model's makers sample, and which tokens end a text, as in a folder's generation_config.json; the file may be
 * missing.
 */
record SamplingFile(SamplingDefaults sampling, Set<Integer> endTokens) {
    static final String FILE = "generation_config.json";

    static SamplingFile read(Path folder, List<Fault> faults) {
        var json = new FolderJson(folder, FILE, faults);
        JsonNode tree = json.tree();
        SamplingDefaults neutral = SamplingDefaults.NEUTRAL;
        return new SamplingFile(
                json.checked(() -> new SamplingDefaults(
                                number(tree, "temperature", neutral.temperature()),
                                number(tree, "top_p", neutral.topP()),
                                (int) number(tree, "top_k", neutral.topK()),
                                number(tree, "repetition_penalty", neutral.repetitionPenalty())))
                        .orElse(neutral),
                endTokens(tree.path("eos_token_id")));
    }

    /** Writers of such files write null for what they do not set. */
    private static double number(JsonNode tree, String name, double otherwise) {
        return tree.path(name).asDouble(otherwise);
    }

    private static Set<Integer> endTokens(JsonNode value) {
        Set<Integer> ids = new TreeSet<>();
        if (value.isIntegralNumber()) {
            ids.add(value.intValue());
        }
        value.forEach(id -> ids.add(id.asInt()));
        return ids;
    }
}
