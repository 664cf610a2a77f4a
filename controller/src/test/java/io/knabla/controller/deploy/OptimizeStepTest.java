package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cluster.engine.Ended;
import io.knabla.controller.deploy.PackageStep.Made;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.memory.MemoryObjectStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptimizeStepTest {
    private static final Digest MODEL = new Digest("sha256:" + "a".repeat(64));
    private static final Digest UNIT = new Digest("sha256:" + "c".repeat(64));

    private final ObjectStore store = new MemoryObjectStore();

    /** Result of the step for an unoptimised unit, given the result of the engine. */
    private Made after(Ended ended) {
        return new OptimizeStep(store, new ReplicaProgram(_ -> ended, DefaultSettings.settings()), new Origins(store))
                .run(new Made.Unit(UNIT, MODEL, List.of("of packaging"), true));
    }

    @Test
    void optimisesGraphsWithRecomputation() {
        var plain = new UnitManifest(
                UnitManifest.SCHEMA,
                new Blob(MODEL, 1),
                List.of(),
                List.of(),
                List.of(),
                false,
                new UnitManifest.ModelVersion(8, 17));

        assertThat(OptimizeStep.wanted(plain)).isFalse();
        assertThat(OptimizeStep.wanted(plain.with(Optimization.NO_CSE, List.of(), Optional.empty())))
                .isTrue();
    }

    @Test
    void servesAnUnoptimisedUnitWithAWarning() {
        assertThat(after(new Ended.NotRun("a quota forbids Jobs")))
                .isInstanceOfSatisfying(
                        Made.Unit.class,
                        made -> assertThat(made.warnings())
                                .hasSize(2)
                                .startsWith("of packaging")
                                .last()
                                .asString()
                                .contains("a quota forbids Jobs", "Deploy it again"));
    }

    @Test
    void reportsAStoreFailureAsSuch() {
        assertThatThrownBy(() -> after(new Ended.Unavailable("there is no bucket x")))
                .isInstanceOf(StorageException.class)
                .hasMessage("there is no bucket x");
        assertThat(after(new Ended.Refused("no kernel for Foo")))
                .isInstanceOfSatisfying(
                        Made.Refused.class,
                        refused -> assertThat(refused.faults().toString()).contains("spec.model", "no kernel for Foo"));
    }

    @Test
    void replacesTheUnitByTheOptimisedOne() {
        String made = "sha256:" + "b".repeat(64);
        assertThat(after(new Ended.Passed(Optional.empty(), Optional.empty(), Optional.of(made))))
                .isEqualTo(new Made.Unit(new Digest(made), MODEL, List.of("of packaging"), false));
    }
}
