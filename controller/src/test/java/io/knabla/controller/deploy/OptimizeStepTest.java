package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.deploy.PackageStep.PackageResult;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.memory.MemoryObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptimizeStepTest {
    private static final Digest MODEL = new Digest("sha256:" + "a".repeat(64));
    private static final GraphManifest GRAPHS = new GraphManifest(
            GraphManifest.SCHEMA,
            new Blob(MODEL, 1),
            List.of(),
            List.of(),
            List.of(),
            false,
            new GraphManifest.ModelVersion(8, 17));

    private final ObjectStore store = new MemoryObjectStore();

    /** Result of the step for an unoptimised unit, given the result of the engine. */
    private PackageResult after(EngineResult ended) {
        return after(GRAPHS, ended);
    }

    private PackageResult after(UnitManifest unit, EngineResult ended) {
        return new OptimizeStep(
                        store, new ReplicaProgram(_ -> ended, DefaultSettings.settings()), new UnitProvenance(store))
                .run(new PackageResult.Unit(new UnitStore(store).write(unit), MODEL, List.of("of packaging"), true));
    }

    @Test
    void optimisesGraphsWithRecomputation() {
        assertThat(OptimizeStep.isNeeded(GRAPHS)).isFalse();
        assertThat(OptimizeStep.isNeeded(GRAPHS.with(Optimization.NO_CSE, List.of(), Optional.empty())))
                .isTrue();
    }

    @Test
    void servesAnUnoptimisedUnitWithAWarning() {
        assertThat(after(new EngineResult.NotRun("a quota forbids Jobs")))
                .isInstanceOfSatisfying(
                        PackageResult.Unit.class,
                        made -> assertThat(made.warnings())
                                .hasSize(2)
                                .startsWith("of packaging")
                                .last()
                                .asString()
                                .contains("a quota forbids Jobs", "Deploy it again"));
    }

    /** No replica opens a decoder that lacks the scales of its keys and values. */
    @Test
    void refusesADecoderThatWasNotMeasured() {
        var decoder = new FileManifest("Generation", Map.of("calibration.onnx", new Blob(MODEL, 1)));

        assertThat(OptimizeStep.isNeeded(decoder)).isTrue();
        assertThat(OptimizeStep.isNeeded(new FileManifest("Generation", Map.of("decoder.onnx", new Blob(MODEL, 1)))))
                .isFalse();
        assertThat(after(decoder, new EngineResult.NotRun("a quota forbids Jobs")))
                .isInstanceOfSatisfying(
                        PackageResult.Refused.class,
                        refused -> assertThat(refused.faults().toString())
                                .contains("spec.generation.kvCache.type", "a quota forbids Jobs", "Deploy it again"));
    }

    @Test
    void reportsAStoreFailureAsSuch() {
        assertThatThrownBy(
                        () -> after(new EngineResult.Unavailable(FailureCode.BUCKET_MISSING, "there is no bucket x")))
                .isInstanceOf(StorageException.class)
                .hasMessage("there is no bucket x")
                .satisfies(failed -> assertThat(FailureCode.of(failed)).isEqualTo(FailureCode.BUCKET_MISSING));
        assertThatThrownBy(() -> after(new EngineResult.Unavailable(FailureCode.UNIT_MISSING, "the unit is gone")))
                .hasMessage("the unit is gone")
                .satisfies(failed -> assertThat(FailureCode.of(failed)).isEqualTo(FailureCode.UNIT_MISSING));
        assertThat(after(new EngineResult.Refused("no kernel for Foo")))
                .isInstanceOfSatisfying(
                        PackageResult.Refused.class,
                        refused -> assertThat(refused.faults().toString()).contains("spec.model", "no kernel for Foo"));
    }

    @Test
    void replacesTheUnitByTheOptimisedOne() {
        String made = "sha256:" + "b".repeat(64);
        assertThat(after(new EngineResult.Passed(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(made))))
                .isEqualTo(new PackageResult.Unit(new Digest(made), MODEL, List.of("of packaging"), false));
    }
}
