package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which objects a collection keeps and which it deletes. */
class GarbageCollectorTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicReference<Instant> storeTime = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryObjectStore store = new MemoryObjectStore(storeTime::get);
    private final StoreFixture shop = new StoreFixture(store);
    private final Leases leases = GcFixtures.leases(store, GcFixtures.IMPATIENT);
    private final GarbageCollector collector = GcFixtures.collector(leases);

    @AfterEach
    void close() {
        leases.close();
    }

    private void later(Duration time) {
        storeTime.updateAndGet(now -> now.plus(time));
    }

    private Report collect(Duration grace) {
        return ((CollectionResult.Done) collector.collect(grace)).report();
    }

    private Report look(Duration grace) {
        return ((CollectionResult.Done) collector.dryRun(grace)).report();
    }

    @Test
    void keepsSharedWeightsAndDeletesTheRestOfADeletedFunction() {
        Digest one = shop.unit("graph one", "shared", "only one");
        Digest two = shop.unit("graph two", "shared");
        shop.record("one", one, shop.put(ObjectKind.MODELS, "model one"));
        shop.record("two", two, shop.put(ObjectKind.MODELS, "model two"));
        shop.catalog.delete(StoreFixture.id("one"));

        Report report = collect(Duration.ZERO);

        assertThat(report.garbage())
                .extracting(Report.Garbage::key)
                .containsExactlyInAnyOrder(
                        ObjectKind.UNITS.key(one).path(),
                        ObjectKind.ORIGINS.key(one).path(),
                        ObjectKind.CHECKS.key(one).path(),
                        "blobs/" + hex("graph one"),
                        "blobs/" + hex("only one"),
                        "models/" + hex("model one"));
        assertThat(report.deletedObjects()).isEqualTo(6);
        assertThat(shop.lacking()).isEmpty();
        assertThat(shop.keys("blobs/"))
                .containsExactlyInAnyOrder("blobs/" + hex("graph two"), "blobs/" + hex("shared"));
        assertThat(shop.keys("models/")).containsExactly("models/" + hex("model two"));
        assertThat(collect(Duration.ZERO).deletedObjects()).isZero();
    }

    @Test
    void dryRunReportsTheSameAndDeletesNothing() {
        shop.unit("graph", "weights");
        List<String> before = shop.keys("");

        Report dry = look(Duration.ZERO);

        assertThat(dry.dryRun()).isTrue();
        assertThat(dry.deletedObjects()).isZero();
        assertThat(shop.keys("")).containsAll(before);
        assertThat(collect(Duration.ZERO).garbage()).isEqualTo(dry.garbage()).isNotEmpty();
    }

    @Test
    void everyVersionInTheHistoryIsKeptForARollback() {
        Digest old = shop.unit("old graph", "weights");
        shop.record("f", old, shop.put(ObjectKind.MODELS, "old"));
        shop.record("f", shop.unit("new graph", "weights"), shop.put(ObjectKind.MODELS, "new"));

        assertThat(collect(Duration.ZERO).garbage()).isEmpty();
        shop.catalog.update(
                StoreFixture.id("f"),
                current -> new FunctionRecord(
                        StoreFixture.id("f"),
                        current.orElseThrow().versions(),
                        List.of(new TrafficTarget(1, 100)),
                        current.orElseThrow().etag()));

        assertThat(collect(Duration.ZERO).garbage()).isEmpty();
        assertThat(shop.lacking()).isEmpty();
    }

    @Test
    void measuresGraceByTheStoresClock() {
        shop.unit("graph", "weights");
        later(DAY.minusSeconds(1));
        assertThat(collect(DAY).garbage()).isEmpty();
        later(Duration.ofSeconds(1));
        assertThat(collect(DAY).garbage()).hasSize(5);
    }

    @Test
    void oldBlobsOfAYoungUnitStay() {
        shop.unit("old graph", "weights");
        later(DAY);
        shop.unit("young graph", "weights");

        Report report = collect(DAY);

        assertThat(shop.keys("blobs/"))
                .containsExactlyInAnyOrder("blobs/" + hex("weights"), "blobs/" + hex("young graph"));
        assertThat(report.reasons()).anyMatch(reason -> reason.reason().equals("YOUNG") && reason.objects() == 5);
    }

    @Test
    void aNoteOfAnOptimisedUnitStaysAsLongAsThatUnit() {
        Digest made = shop.unit("graph", "weights");
        Digest optimised = shop.unit("optimised graph", "weights");
        ObjectKey note = ObjectKind.OPTIMIZED.key(made);
        shop.note(note, Map.of("optimized", optimised.value()));
        shop.record("f", optimised, shop.put(ObjectKind.MODELS, "model"));

        collect(Duration.ZERO);

        assertThat(store.stat(note)).isPresent();
        assertThat(store.stat(ObjectKind.UNITS.key(made))).isEmpty();
        shop.catalog.delete(StoreFixture.id("f"));
        collect(Duration.ZERO);
        assertThat(shop.keys("").stream().filter(key -> !key.startsWith("gc/")))
                .allMatch(key -> key.startsWith("catalog/"));
    }

    @Test
    void aUnitThatCannotBeReadKeepsEverythingAndIsReported() {
        Digest unit = shop.unit("graph", "weights");
        shop.record("f", unit, shop.put(ObjectKind.MODELS, "model"));
        shop.unit("garbage", "more garbage");
        shop.write(ObjectKind.UNITS.key(unit), "{\"schema\": 99}");
        List<String> before = shop.keys("blobs/");

        Report report = collect(Duration.ZERO);

        assertThat(report.deletedObjects()).isZero();
        assertThat(report.troubles())
                .singleElement()
                .asString()
                .contains(unit.value(), "version 1 of default/f", "Nothing is deleted");
        assertThat(shop.keys("blobs/")).isEqualTo(before);
    }

    @Test
    void stopsAtUnreadableCatalogDocuments() {
        shop.unit("garbage", "more garbage");
        for (Map.Entry<String, String> document : Map.of(
                        "catalog/functions/default/damaged.json", "{",
                        "catalog/functions/default/newer.json", "{\"schema\": 9}",
                        "catalog/groups.json", "{}")
                .entrySet()) {
            ObjectKey key = new ObjectKey(document.getKey());
            shop.write(key, document.getValue());

            CollectionResult collection = collector.collect(Duration.ZERO);

            assertThat(collection).isInstanceOf(CollectionResult.Unclear.class);
            assertThat(((CollectionResult.Unclear) collection).sentence()).contains(key.path());
            assertThat(collector.dryRun(Duration.ZERO)).isInstanceOf(CollectionResult.Unclear.class);
            store.delete(key);
        }
        assertThat(collect(Duration.ZERO).deletedObjects()).isEqualTo(5);
    }

    @Test
    void keepsUnknownObjects() {
        shop.write(new ObjectKey("ledger/2026/01.parquet"), "rows");
        shop.write(new ObjectKey("blobs/readme.txt"), "by hand");
        shop.write(new ObjectKey("states/of-mine.txt"), "by hand");

        assertThat(collect(Duration.ZERO).garbage()).isEmpty();
        assertThat(shop.keys("").stream().filter(key -> !key.startsWith("gc/"))).hasSize(3);
    }

    @Test
    void deletesStatesUploadsAndNotesWithTheirOwners() {
        Digest model = shop.put(ObjectKind.MODELS, "from a foreign bucket");
        shop.record("f", shop.unit("graph"), model);
        shop.note(new ObjectKey("sources/kept.json"), Map.of("model", model.value()));
        Digest other = shop.put(ObjectKind.MODELS, "another");
        shop.note(new ObjectKey("sources/gone.json"), Map.of("model", other.value()));
        shop.write(new ObjectKey("states/default/gone/1-5.safetensors"), "state");
        shop.write(new ObjectKey("incoming/" + "a".repeat(64) + "-1"), "half");
        shop.write(new ObjectKey("doctor/some-run/probe"), "probe");

        collect(Duration.ZERO);
        assertThat(shop.keys("sources/")).containsExactly("sources/kept.json");
        assertThat(shop.keys("models/"))
                .containsExactly(ObjectKind.MODELS.key(model).path());
        assertThat(shop.keys("states/")).isEmpty();
        assertThat(shop.keys("incoming/")).as("an upload may be under way").hasSize(1);

        later(Marker.UPLOAD);
        collect(Duration.ZERO);
        assertThat(shop.keys("incoming/")).isEmpty();
        assertThat(shop.keys("doctor/")).isEmpty();
    }

    private static String hex(String text) {
        return Sha256.of(text.getBytes(StandardCharsets.UTF_8)).hex();
    }
}
