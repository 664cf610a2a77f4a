package io.knabla.runtime.assemble;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.packaging.GradientRequests;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
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

    public static SampleUnit of(ModelProto model) throws IOException {
        Path home = Files.createTempDirectory("knabla-unit");
        String location = home.resolve("store").toUri().toString();
        return packed(model, Optional.empty(), home, Map.of("KNABLA_STORE", location));
    }

    /** An inference unit in its own bucket. */
    public static SampleUnit inS3(ModelProto model, S3Server server) throws IOException {
        return packed(model, Optional.empty(), Files.createTempDirectory("knabla-unit"), in(server));
    }

    /** A training step in its own bucket. */
    public static SampleUnit stepInS3(ModelProto model, S3Server server) throws IOException {
        Path home = Files.createTempDirectory("knabla-unit");
        return switch (FunctionYaml.parse(STEP)) {
            case Parsed.Valid(var resource) -> {
                Map<String, String> reach = in(server);
                reach.put("KNABLA_STATE", "states/default/model/1.safetensors");
                yield packed(model, GradientRequests.of(resource.spec()), home, reach);
            }
            case Parsed.Invalid(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    private static Map<String, String> in(S3Server server) {
        Map<String, String> reach = new HashMap<>(server.environment());
        reach.put("KNABLA_STORE", "s3://" + server.newBucket() + "/training");
        return reach;
    }

    private static SampleUnit packed(
            ModelProto model, Optional<GradientRequest> plan, Path home, Map<String, String> reach) throws IOException {
        Path file = Onnx.save(model, home.resolve("model.onnx"));
        try (ObjectStore store = Stores.open(reach.get("KNABLA_STORE"), reach)) {
            return switch (Packager.pack(ModelFiles.beside(file), plan, store)) {
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
