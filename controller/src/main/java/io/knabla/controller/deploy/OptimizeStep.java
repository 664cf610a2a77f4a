package io.knabla.controller.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.deploy.PackageStep.PackageResult;
import io.knabla.controller.models.ModelKeys;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Optimises a unit's graphs ahead of time by the replica program, or measures the scales of its 8-bit keys and values,
 * once per unit. Common subexpression elimination is off: merging equal nodes when a replica opens the graph would undo
 * recomputation. It runs in a separate process, because the controller does not link the engine. The store keeps the
 * digest of the result, so each unit is optimised once.
 */
@Singleton
final class OptimizeStep {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectStore store;
    private final ReplicaProgram replica;
    private final UnitProvenance origins;

    OptimizeStep(ObjectStore store, ReplicaProgram replica, UnitProvenance origins) {
        this.store = store;
        this.replica = replica;
        this.origins = origins;
    }

    PackageResult run(PackageResult.Unit packaged) {
        Optional<Digest> before = known(packaged.digest());
        if (before.isPresent()) {
            return with(packaged, before.get());
        }
        return toPackageResult(packaged, replica.run(Mode.optimize, packaged.digest()));
    }

    static boolean isNeeded(UnitManifest manifest) {
        return switch (manifest) {
            case GraphManifest graphs ->
                graphs.optimization() == Optimization.NO_CSE
                        || graphs.entries().stream()
                                .map(EntryPoint::optimization)
                                .anyMatch(Optimization.NO_CSE::equals);
            case FileManifest files -> files.files().containsKey(GenerationSettings.CALIBRATION_GRAPH);
        };
    }

    private PackageResult toPackageResult(PackageResult.Unit packaged, EngineResult ended) {
        if (ended instanceof EngineResult.Passed(var _, var _, var _, var unit) && unit.isPresent()) {
            Digest optimized = new Digest(unit.get());
            origins.of(packaged.digest())
                    .ifPresent(origin -> origins.write(optimized, origin.ofUnit(new UnitStore(store).read(optimized))));
            remember(packaged.digest(), optimized);
            return with(packaged, optimized);
        }
        if (ended instanceof EngineResult.NotRun(var why)) {
            return notRun(packaged, why);
        }
        return new PackageResult.Refused(List.of(new Fault(
                "spec.model",
                replica.failureMessage(Mode.optimize, ended).orElse("the engine optimised it but returned no unit"))));
    }

    /** Gradients work without, but no replica has 8-bit keys and values without their scales. */
    private PackageResult notRun(PackageResult.Unit packaged, String why) {
        return switch (new UnitStore(store).read(packaged.digest())) {
            case GraphManifest _ -> warned(packaged, why);
            case FileManifest _ ->
                new PackageResult.Refused(List.of(new Fault(
                        "spec.generation.kvCache.type",
                        "found Int8, but the keys and values of the model could not be measured: %s. Deploy it again, or write Float32, which needs no measurement"
                                .formatted(why))));
        };
    }

    /** Warns in this deploy only: the next one tries again. */
    private static PackageResult.Unit warned(PackageResult.Unit packaged, String why) {
        List<String> warnings = new ArrayList<>(packaged.warnings());
        warnings.add(
                "the graphs of its gradients were not optimised ahead of time, so they may need more memory than planned: %s. Deploy it again to try that once more."
                        .formatted(why));
        return new PackageResult.Unit(packaged.digest(), packaged.model(), List.copyOf(warnings), true);
    }

    private static PackageResult.Unit with(PackageResult.Unit packaged, Digest unit) {
        return new PackageResult.Unit(unit, packaged.model(), packaged.warnings(), false);
    }

    private Optional<Digest> known(Digest unit) {
        return store.read(ModelKeys.optimized(unit)).flatMap(object -> {
            try {
                return Optional.of(new Digest(
                        JSON.readTree(object.bytes()).path("optimized").asText()));
            } catch (IOException | IllegalArgumentException damaged) {
                // A damaged document counts as absent: the unit is optimised again.
                return Optional.empty();
            }
        });
    }

    private void remember(Digest unit, Digest optimized) {
        try {
            store.write(
                    ModelKeys.optimized(unit),
                    Content.of(JSON.writeValueAsBytes(Map.of("schema", 1, "optimized", optimized.value()))));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a map must be writable", impossible);
        }
    }
}
