package io.knabla.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Checks random histories: versions never lack objects, and in the end nothing else remains. */
class HistoryPropertyTest {
    private static final Duration GRACE = Duration.ofHours(1);

    enum Act {
        DEPLOY,
        ABANDONED_DEPLOY,
        DELETE,
        ROLLBACK,
        COLLECT,
        COLLECT_WITH_GRACE,
        HALF_AN_HOUR_GOES_BY
    }

    /**
     * @param function one of three
     * @param graph one of three, shared by all functions
     * @param weights which of four
     */
    record Step(Act act, int function, int graph, Set<Integer> weights) {}

    @Provide
    Arbitrary<List<Step>> histories() {
        return Combinators.combine(
                        Arbitraries.of(Act.class),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 3).set().ofMaxSize(3))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }

    @Property(tries = 300)
    void everyVersionIsCompleteAndGarbageGoes(@ForAll("histories") List<Step> history) {
        var time = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        var shop = new StoreFixture(new MemoryObjectStore(time::get));
        try (Leases leases = GcFixtures.leases(shop.store, GcFixtures.IMPATIENT)) {
            var collector = GcFixtures.collector(leases);
            for (Step step : history) {
                act(step, shop, collector, time);
                assertThat(shop.lacking()).isEmpty();
                assertThat(shop.brokenUnits()).isEmpty();
            }
            collect(collector, Duration.ZERO);
            assertThat(shop.lacking()).isEmpty();
            assertThat(new HashSet<>(shop.keys("blobs/"))).isEqualTo(shop.neededBlobs());
        }
    }

    private static void act(Step step, StoreFixture shop, GarbageCollector collector, AtomicReference<Instant> time) {
        String name = "f" + step.function();
        switch (step.act()) {
            case DEPLOY -> shop.record(name, unit(shop, step), shop.put(ObjectKind.MODELS, "model " + step.graph()));
            case ABANDONED_DEPLOY -> unit(shop, step);
            case DELETE -> shop.catalog.delete(StoreFixture.id(name));
            case ROLLBACK -> rollback(shop, name);
            case COLLECT -> collect(collector, Duration.ZERO);
            case COLLECT_WITH_GRACE -> collect(collector, GRACE);
            case HALF_AN_HOUR_GOES_BY -> time.updateAndGet(now -> now.plus(GRACE.dividedBy(2)));
        }
    }

    private static Digest unit(StoreFixture shop, Step step) {
        return shop.unit(
                "graph " + step.graph(),
                step.weights().stream().sorted().map(i -> "weights " + i).toArray(String[]::new));
    }

    private static void rollback(StoreFixture shop, String name) {
        if (shop.catalog.readFromStore(StoreFixture.id(name)).isPresent()) {
            shop.catalog.update(StoreFixture.id(name), current -> {
                FunctionRecord now = current.orElseThrow();
                int first = now.versions().getFirst().number();
                return new FunctionRecord(now.id(), now.versions(), List.of(new TrafficTarget(first, 100)), now.etag());
            });
        }
    }

    private static void collect(GarbageCollector collector, Duration grace) {
        assertThat(collector.collect(grace)).isInstanceOf(CollectionResult.Done.class);
    }
}
