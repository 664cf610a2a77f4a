package io.knabla.functions.unit;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Valid manifests for tests. */
final class Manifests {
    private Manifests() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Blob blob(byte[] bytes) {
        return new Blob(Sha256.of(bytes), bytes.length);
    }

    static GraphManifest of(byte[] graph, byte[]... weights) {
        return new GraphManifest(
                GraphManifest.SCHEMA,
                blob(graph),
                java.util.Arrays.stream(weights).map(Manifests::blob).toList(),
                List.of(new TensorSpec("größe \"x\"\n", DataType.FP32, List.of(-1L, 3L), List.of("n", ""))),
                List.of(new TensorSpec("y", DataType.INT64, List.of(), List.of())),
                true,
                new GraphManifest.ModelVersion(10, 21));
    }
}
