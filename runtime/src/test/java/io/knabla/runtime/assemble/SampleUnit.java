package io.knabla.runtime.assemble;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.GradientRequests;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A packaged unit in its own store, for AOT training runs and tests.
 *
 * @param home temporary folder, deleted on close
 * @param reach environment variables with the store's location and, for S3, its endpoint and credentials
 */
public record SampleUnit(Path home, Digest unit, Map<String, String> reach) implements AutoCloseable {
    private static final String STEP = """
            apiVersion: knabla.dev/v1alpha1
            kind: Function
            metadata: {name: model}
            spec:
              model: model.onnx
              type: TrainingStep
              gradient:
                loss: {output: y, function: MSE, target: t}
                withRespectTo: [parameters]
                optimizer: {type: Momentum, learningRate: 0.001}
            """;
    private static final String TEXTS = """
            apiVersion: knabla.dev/v1alpha1
            kind: Function
            metadata: {name: model}
            spec: {model: model/, %s}
            """;

    /** Where a unit is stored: environment variables that reach it, given a temporary folder. */
    @FunctionalInterface
    public interface Place {
        Place DISK =
                home -> Map.of("KNABLA_STORE", home.resolve("store").toUri().toString());

        Map<String, String> reach(Path home);

        /** A bucket of its own. */
        static Place in(S3Server server) {
            return _ -> {
                Map<String, String> reach = new HashMap<>(server.environment());
                reach.put("KNABLA_STORE", "s3://" + server.newBucket() + "/training");
                reach.put("KNABLA_STATE", "states/default/model/1.safetensors");
                return reach;
            };
        }
    }

    /** Writes a model's folder. */
    @FunctionalInterface
    public interface FolderWriter {
        Path write(Path folder) throws IOException;
    }

    public static SampleUnit of(ModelProto model) throws IOException {
        return of(model, Place.DISK);
    }

    /** An inference unit. */
    static SampleUnit of(ModelProto model, Place place) throws IOException {
        return packed(model, Optional.empty(), place);
    }

    /** A training step. */
    static SampleUnit step(ModelProto model, Place place) throws IOException {
        return packed(model, GradientRequests.of(spec(STEP)), place);
    }

    /**
     * A unit of a model folder.
     *
     * @param spec of the function, as in {@code type: Encoder}
     */
    public static SampleUnit ofFolder(String spec, FolderWriter model, Place place) throws IOException {
        Path home = Files.createTempDirectory("knabla-unit");
        Path folder = model.write(home.resolve("model"));
        FunctionSpec read = spec(TEXTS.formatted(spec));
        return packed(home, place.reach(home), store -> FolderPackager.pack(folder, read, store));
    }

    private static FunctionSpec spec(String yaml) {
        return switch (FunctionYaml.parse(yaml)) {
            case Parsed.Valid(var resource) -> resource.spec();
            case Parsed.Invalid(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    private static SampleUnit packed(ModelProto model, Optional<GradientRequest> plan, Place place) throws IOException {
        Path home = Files.createTempDirectory("knabla-unit");
        ModelFiles files = ModelFiles.beside(Onnx.save(model, home.resolve("model.onnx")));
        return packed(home, place.reach(home), store -> Packager.pack(files, plan, store));
    }

    private static SampleUnit packed(
            Path home, Map<String, String> reach, Function<ObjectStore, PackagingResult> packager) {
        try (ObjectStore store = Stores.open(reach.get("KNABLA_STORE"), reach)) {
            return switch (packager.apply(store)) {
                case PackagingResult.Packaged packaged -> new SampleUnit(home, packaged.unit(), Map.copyOf(reach));
                case PackagingResult.Refused refused ->
                    throw new IllegalStateException("the model is refused: " + refused.faults());
            };
        }
    }

    /** Environment of a replica that serves this unit. */
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(reach);
        environment.put("KNABLA_UNIT", unit.value());
        environment.put("KNABLA_CACHE", home.resolve("cache").toString());
        environment.put("KNABLA_MODEL_NAME", "model");
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        return environment;
    }

    @Override
    public void close() throws IOException {
        delete(home);
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
