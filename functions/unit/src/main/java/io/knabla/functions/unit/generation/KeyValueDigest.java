package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Digest of those files of a unit from which keys and values (KV cache) are computed; replicas with equal digests can
 * exchange keys and values.
 *
 * @param digest of the graph, its weights and its scales
 */
public record KeyValueDigest(Digest digest) {
    private static final Set<String> OTHER_FILES = Set.of(
            GenerationSettings.FILE,
            GenerationSettings.TOKENIZER,
            GenerationSettings.DRAFT_GRAPH,
            GenerationSettings.DRAFT_WEIGHTS,
            GenerationSettings.CALIBRATION_GRAPH);

    /** Of a unit that generates text. */
    public static KeyValueDigest of(FileManifest unit) {
        String files = unit.files().entrySet().stream()
                .filter(file -> !OTHER_FILES.contains(file.getKey()))
                .map(file -> file.getKey() + " " + file.getValue().digest().value() + "\n")
                .sorted()
                .collect(Collectors.joining());
        return new KeyValueDigest(Sha256.of(files.getBytes(StandardCharsets.UTF_8)));
    }
}
