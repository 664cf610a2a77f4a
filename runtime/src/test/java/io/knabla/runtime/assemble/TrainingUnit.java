package io.knabla.runtime.assemble;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.Packaging;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** A unit in a store of its own, in a temporary folder that goes with it. */
public record TrainingUnit(Path home, Digest unit) implements AutoCloseable {

    public static TrainingUnit of(ModelProto model) throws IOException {
        Path home = Files.createTempDirectory("knabla-unit");
        Path file = Onnx.save(model, home.resolve("model.onnx"));
        try (ObjectStore store = Stores.open(location(home))) {
            return switch (Packager.pack(ModelFiles.beside(file), store)) {
                case Packaging.Packaged packaged -> new TrainingUnit(home, packaged.unit());
                case Packaging.Refused refused ->
                        throw new IllegalStateException(
                                "the model is refused: " + refused.faults());
            };
        }
    }

    private static String location(Path home) {
        return home.resolve("store").toUri().toString();
    }

    /** What a replica that serves this unit is told. */
    public Map<String, String> environment() {
        return Map.of(
                "KNABLA_UNIT",
                unit.value(),
                "KNABLA_STORE",
                location(home),
                "KNABLA_CACHE",
                home.resolve("cache").toString(),
                "KNABLA_MODEL_NAME",
                "model",
                "ORT_DISABLE_TELEMETRY",
                "1",
                "MALLOC_ARENA_MAX",
                "1");
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
