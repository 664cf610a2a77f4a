package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.gc.DeployLeases.LeaseResult;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a process at its first, second, third … store operation, until it completes. */
class CrashTest {
    private final AtomicReference<Instant> storeTime = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    /** Two functions that share weights and notes, the first deleted: there is garbage of each kind. */
    private StoreFixture shop() {
        var shop = new StoreFixture(new MemoryObjectStore(storeTime::get));
        deploy(shop, shop, "gone", "first");
        deploy(shop, shop, "kept", "second");
        Digest plain = shop.unit("graph of none", "only its");
        shop.note(
                ObjectKind.OPTIMIZED.key(plain),
                Map.of("optimized", shop.unit("optimised graph of none").value()));
        shop.catalog.delete(StoreFixture.id("gone"));
        return shop;
    }

    /** As {@code Deployer} does it. */
    private static void deploy(StoreFixture by, StoreFixture shop, String name, String text) {
        Leases leases = GcFixtures.leases(by.store, GcFixtures.IMPATIENT);
        try (leases;
                LeaseResult.DeployLease pin =
                        (LeaseResult.DeployLease) new DeployLeases(leases).acquire("a deploy of " + name)) {
            Digest model = by.put(ObjectKind.MODELS, "model " + text);
            Digest unit = by.unit("graph " + text, "shared", "weights of " + text);
            pin.confirm();
            by.record(name, unit, model);
        }
        assertThat(shop.lacking()).isEmpty();
    }

    private static Report collect(StoreFixture shop) {
        try (Leases leases = GcFixtures.leases(shop.store, GcFixtures.IMPATIENT)) {
            return ((CollectionResult.Done) GcFixtures.collector(leases).collect(Duration.ZERO)).report();
        }
    }

    /** Deploys and collects again once the leases of the crashed process have expired. */
    private void goesOn(StoreFixture shop) {
        assertThat(shop.lacking()).isEmpty();
        assertThat(shop.brokenUnits()).isEmpty();
        storeTime.updateAndGet(now -> now.plus(GcFixtures.QUICK.life()).plusMillis(1));
        collect(shop);
        assertThat(shop.lacking()).isEmpty();
        assertThat(shop.brokenUnits()).isEmpty();
        assertThat(collect(shop).garbage()).isEmpty();
        assertThat(shop.keys(DeployLeases.PREFIX)).isEmpty();
        deploy(shop, shop, "gone", "first");
        deploy(shop, shop, "new", "second");
    }

    @ParameterizedTest(name = "the last operation happens: {0}")
    @ValueSource(booleans = {false, true})
    void crashedCollectionLeavesAConsistentStore(boolean lastHappens) {
        for (int operation = 1; ; operation++) {
            StoreFixture shop = shop();
            var failing = new FailingStore(shop.store);
            failing.failAt(operation, lastHappens);
            try {
                collect(new StoreFixture(failing));
            } catch (FailingStore.Failed crashed) {
                goesOn(shop);
                continue;
            }
            // Releasing the lock may fail unnoticed, after all work is done.
            assertThat(operation).isGreaterThan(30);
            assertThat(failing.failed()).isFalse();
            goesOn(shop);
            return;
        }
    }

    @ParameterizedTest(name = "the last operation happens: {0}")
    @ValueSource(booleans = {false, true})
    void crashedDeployLeavesAConsistentStore(boolean lastHappens) {
        for (int operation = 1; ; operation++) {
            StoreFixture shop = shop();
            var failing = new FailingStore(shop.store);
            failing.failAt(operation, lastHappens);
            try {
                // Half of the objects that it needs are garbage that the sweep would delete.
                deploy(new StoreFixture(failing), shop, "again", "first");
            } catch (FailingStore.Failed crashed) {
                goesOn(shop);
                continue;
            }
            assertThat(operation).isGreaterThan(10);
            assertThat(failing.failed()).isFalse();
            goesOn(shop);
            return;
        }
    }
}
