package io.knabla.controller.training;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.local.LocalCluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingStateCleanerTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path home;

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final MapCatalog catalog = new MapCatalog();
    private LocalCluster cluster;

    @BeforeEach
    void start() {
        cluster = StandInCluster.open(home);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Version version(int number, Instant created) {
        return Specs.inference().type(FunctionType.TrainingStep).version(number, created);
    }

    private static FunctionRecord record(Version... versions) {
        return new FunctionRecord(Specs.id("steps"), List.of(versions), List.of(), "");
    }

    private ObjectKey keep(Version version) throws IOException {
        ObjectKey key = StateKeys.of(Specs.id("steps"), version).orElseThrow();
        store.write(key, Content.of(new byte[] {1}));
        return key;
    }

    private boolean isThere(ObjectKey key) {
        return store.stat(key).isPresent();
    }

    @Test
    void deletesTheStateOfADeletedFunctionOnly() throws IOException {
        catalog.put(record(version(1, CREATED)));
        ObjectKey mine = keep(version(1, CREATED));
        ObjectKey others = new ObjectKey("states/default/steps-2/1-0.safetensors");
        store.write(others, Content.of(new byte[] {1}));
        catalog.put(new FunctionRecord(Specs.id("steps-2"), List.of(version(1, Instant.EPOCH)), List.of(), ""));
        new TrainingStateCleaner(store, catalog, cluster).start();
        assertThat(isThere(mine)).isTrue();

        catalog.delete(Specs.id("steps"));

        assertThat(isThere(mine)).isFalse();
        assertThat(isThere(others)).isTrue();
    }

    @Test
    void sweepsLeftoversAtTheStart() throws IOException {
        ObjectKey left = keep(version(3, CREATED));

        new TrainingStateCleaner(store, catalog, cluster).start();

        assertThat(isThere(left)).isFalse();
    }

    @Test
    void keepsSeparateStatesForFunctionsOfTheSameName() throws IOException {
        ObjectKey old = keep(version(1, CREATED));
        Version again = version(1, CREATED.plusSeconds(1));
        ObjectKey mine = keep(again);
        assertThat(mine).isNotEqualTo(old);
        catalog.put(record(again));

        new TrainingStateCleaner(store, catalog, cluster).start();

        assertThat(isThere(old)).isFalse();
        assertThat(isThere(mine)).isTrue();
    }

    @Test
    void deletesALateWriteWhenTheLastReplicaEnds() throws IOException {
        new TrainingStateCleaner(store, catalog, cluster).start();
        Version gone = version(1, CREATED);
        Replica replica = cluster.start(new ReplicaRequest(Specs.id("steps"), gone, "od"));
        ObjectKey late = keep(gone);

        cluster.stop(replica.id());

        await().until(() -> !isThere(late));
    }

    @Test
    void hasAStateForTrainingStepsOnly() {
        Version plain = Specs.inference().version(1, CREATED);

        assertThat(StateKeys.of(Specs.id("a"), plain)).isEmpty();
    }

    /** Another controller deployed, trained and stopped a version that this cache does not know yet. */
    @Test
    void keepsTheStateOfAVersionUnknownToTheCache() throws IOException {
        FunctionRecord late = record(version(1, CREATED));
        ObjectKey state = keep(version(1, CREATED));
        ObjectKey garbage = keep(version(7, CREATED));
        var lagging = new MapCatalog() {
            @Override
            public Optional<FunctionRecord> readFromStore(FunctionId id) {
                return Optional.of(late);
            }
        };
        new TrainingStateCleaner(store, lagging, cluster).start();

        assertThat(isThere(state)).isTrue();
        assertThat(isThere(garbage)).isFalse();
    }

    @Test
    void keepsStatesOfADamagedDocument() throws IOException {
        ObjectKey state = keep(version(1, CREATED));
        var damaged = new MapCatalog() {
            @Override
            public Optional<FunctionRecord> readFromStore(FunctionId id) {
                throw new IllegalStateException("the document is damaged");
            }
        };
        new TrainingStateCleaner(store, damaged, cluster).start();

        assertThat(isThere(state)).isTrue();
    }
}
