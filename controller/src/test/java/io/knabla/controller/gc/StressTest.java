package io.knabla.controller.gc;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.gc.DeployLeases.LeaseResult;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.setup.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers deploy, delete and roll back from many threads, mostly functions that have just become garbage, while
 * both collect without grace period. A watcher checks continuously that no version lacks a blob.
 */
class StressTest {
    private static final int FUNCTIONS = 4;
    private static final int GRAPHS = 4;
    private static final int WEIGHTS = 4;

    @TempDir
    Path folder;

    @Test
    void inMemory() throws Exception {
        try (var store = new MemoryObjectStore()) {
            new Run(() -> store, 8, 150).go();
        }
    }

    @Test
    void inFiles() throws Exception {
        new Run(() -> Stores.open(folder.toUri().toString()), 6, 30).go();
    }

    @Test
    void inS3() throws Exception {
        try (var server = S3ProxyServer.start(folder)) {
            String location = "s3://" + server.newBucket() + "/some/prefix";
            new Run(() -> Stores.open(location, server.environment()), 4, 15).go();
        }
    }

    /** One of the two controllers. */
    private record Controller(StoreFixture shop, Leases leases) {
        static Controller on(ObjectStore store) {
            return new Controller(new StoreFixture(store), GcFixtures.leases(store, GcFixtures.QUICK));
        }
    }

    private static final class Run {
        private final List<Controller> controllers;
        private final int threads;
        private final int rounds;
        private final long seed = new Random().nextLong();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong deleted = new AtomicLong();
        private final AtomicInteger collections = new AtomicInteger();
        private final AtomicInteger deploys = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger looks = new AtomicInteger();

        Run(Supplier<ObjectStore> open, int threads, int rounds) {
            this.controllers = List.of(Controller.on(open.get()), Controller.on(open.get()));
            this.threads = threads;
            this.rounds = rounds;
        }

        void go() throws Exception {
            System.out.println("seed " + seed);
            try (var executor = Executors.newCachedThreadPool()) {
                List<Future<Void>> background = new ArrayList<>();
                controllers.forEach(c -> background.add(executor.submit(() -> collect(c))));
                background.add(executor.submit(this::watch));
                List<Callable<Void>> workers = IntStream.range(0, threads)
                        .<Callable<Void>>mapToObj(i -> () -> work(i))
                        .toList();
                List<Future<Void>> working = executor.invokeAll(workers);
                over.set(true);
                for (Future<Void> one : working) {
                    one.get();
                }
                for (Future<Void> one : background) {
                    one.get();
                }
            }
            System.out.printf(
                    "%d deploys, %d refused, %d collections that deleted %d objects, %d looks%n",
                    deploys.get(), lost.get(), collections.get(), deleted.get(), looks.get());
            StoreFixture shop = controllers.getFirst().shop();
            assertThat(lost.get()).as("refused deploys").isLessThan(5);
            assertThat(shop.lacking()).isEmpty();
            assertThat(shop.brokenUnits()).isEmpty();
            assertThat(deleted.get()).isPositive();
            assertThat(looks.get()).isPositive();
            collectOnce(controllers.getLast());
            assertThat(shop.keys("blobs/")).hasSameElementsAs(shop.neededBlobs());
            assertThat(shop.lacking()).isEmpty();
            controllers.forEach(c -> c.leases().close());
            controllers.forEach(c -> c.shop().store.close());
        }

        private Void work(int thread) {
            var random = new Random(seed + thread);
            for (int round = 0; round < rounds; round++) {
                Controller here = controllers.get(random.nextInt(controllers.size()));
                String name = "f" + random.nextInt(FUNCTIONS);
                switch (random.nextInt(8)) {
                    case 0, 1 -> here.shop().catalog.delete(StoreFixture.id(name));
                    case 2 -> rollback(here.shop(), name);
                    default -> deploy(here, name, random);
                }
            }
            return null;
        }

        /** Deploys as {@code Deployer} does, including its shortcut for an unchanged function. */
        private void deploy(Controller here, String name, Random random) {
            StoreFixture shop = here.shop();
            try (var pin = (LeaseResult.DeployLease) new DeployLeases(here.leases()).acquire("the deploy of " + name)) {
                int graph = random.nextInt(GRAPHS);
                Optional<Version> before = random.nextInt(4) == 0
                        ? shop.catalog.readFromStore(StoreFixture.id(name)).map(FunctionRecord::latest)
                        : Optional.empty();
                Digest model =
                        before.map(Version::model).orElseGet(() -> shop.put(ObjectKind.MODELS, "model " + graph));
                Digest unit = before.map(Version::unit)
                        .orElseGet(() -> shop.unit(
                                "graph " + graph,
                                "weights " + random.nextInt(WEIGHTS),
                                "weights " + random.nextInt(WEIGHTS)));
                shop.catalog.update(StoreFixture.id(name), current -> {
                    pin.confirm();
                    return StoreFixture.next(StoreFixture.id(name), current, unit, model);
                });
                deploys.incrementAndGet();
            } catch (LeaseLostException refused) {
                // A deploy may lose its lease and is then refused; what is tested is that nothing is damaged.
                lost.incrementAndGet();
            }
        }

        private static void rollback(StoreFixture shop, String name) {
            if (shop.catalog.readFromStore(StoreFixture.id(name)).isEmpty()) {
                return;
            }
            try {
                shop.catalog.update(StoreFixture.id(name), current -> {
                    FunctionRecord now = current.orElseThrow(Gone::new);
                    int first = now.versions().getFirst().number();
                    return new FunctionRecord(
                            now.id(), now.versions(), List.of(new TrafficTarget(first, 100)), now.etag());
                });
            } catch (Gone deletedMeanwhile) {
                // Nothing is left to roll back.
            }
        }

        private Void collect(Controller here) {
            while (!over.get()) {
                int before = deploys.get();
                collectOnce(here);
                // Collecting again at once would block all deploys.
                await().pollInterval(GcFixtures.QUICK.poll()).until(() -> over.get() || deploys.get() > before);
            }
            return null;
        }

        private void collectOnce(Controller here) {
            CollectionResult ended = GcFixtures.collector(here.leases()).collect(Duration.ZERO);
            if (ended instanceof CollectionResult.Done(var report)) {
                assertThat(report.troubles()).isEmpty();
                collections.incrementAndGet();
                deleted.addAndGet(report.deletedObjects());
            } else {
                assertThat(ended).isInstanceOf(CollectionResult.Busy.class);
            }
        }

        /** A version that exists before and after its blobs are checked existed all the time. */
        private Void watch() {
            StoreFixture shop = controllers.getFirst().shop();
            do {
                var catalog = new StoreCatalog(shop.store, new Random(4));
                catalog.refresh();
                for (FunctionRecord function : catalog.list()) {
                    Digest unit = function.latest().unit();
                    List<String> lacking = shop.lacking(unit);
                    boolean same = catalog.readFromStore(function.id())
                            .filter(now -> now.etag().equals(function.etag()))
                            .isPresent();
                    if (same) {
                        looks.incrementAndGet();
                        assertThat(lacking).as("unit of %s", function.id()).isEmpty();
                    }
                }
            } while (!over.get());
            return null;
        }
    }

    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
