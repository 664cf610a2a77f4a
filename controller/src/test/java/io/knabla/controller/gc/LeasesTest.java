package io.knabla.controller.gc;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.gc.CollectionLock.LockResult;
import io.knabla.controller.gc.DeployLeases.LeaseResult;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests leases, and the lock between deploys and collections. */
class LeasesTest {
    private static final ObjectKey KEY = new ObjectKey("gc/some.json");

    private final AtomicReference<Instant> storeTime = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryObjectStore store = new MemoryObjectStore(storeTime::get);
    private final Queue<Leases> opened = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        opened.forEach(Leases::close);
    }

    private Leases controller(LeaseTimes times) {
        Leases leases = GcFixtures.leases(store, times);
        opened.add(leases);
        return leases;
    }

    private void later(Duration time) {
        storeTime.updateAndGet(now -> now.plus(time));
    }

    private static CollectionLock up(Leases leases) {
        return ((LockResult.Acquired) CollectionLock.acquire(leases, "garbage collection")).lock();
    }

    private static LeaseResult.DeployLease pin(Leases leases) {
        return (LeaseResult.DeployLease) new DeployLeases(leases).acquire("the deploy of default/digits");
    }

    @Test
    void oneOfManyConcurrentClaimsSucceeds() {
        List<CompletableFuture<Boolean>> claims = IntStream.range(0, 16)
                .mapToObj(_ -> CompletableFuture.supplyAsync(
                        () -> controller(GcFixtures.QUICK).claim(KEY, "work").isPresent()))
                .toList();
        assertThat(claims.stream().filter(CompletableFuture::join)).hasSize(1);
    }

    @Test
    void deployWaitsForACollectionWithoutALease() {
        CollectionLock lock = up(controller(GcFixtures.QUICK));
        var deploy = CompletableFuture.supplyAsync(() -> pin(controller(GcFixtures.QUICK)));

        await().until(() -> store.stat(new ObjectKey("gc/running.json")).isPresent());
        assertThat(new DeployLeases(controller(GcFixtures.IMPATIENT)).acquire("another deploy"))
                .isInstanceOfSatisfying(
                        LeaseResult.Refused.class,
                        refused ->
                                assertThat(refused.sentence()).contains("garbage collection since", "another deploy"));
        assertThat(deploy).isNotDone();
        await().until(() -> store.list(DeployLeases.PREFIX).findAny().isEmpty());
        lock.close();

        deploy.join().close();
        assertThat(store.list(DeployLeases.PREFIX)).isEmpty();
    }

    @Test
    void collectionWaitsForDeploysAndNamesThem() {
        LeaseResult.DeployLease lease = pin(controller(GcFixtures.QUICK));

        assertThat(CollectionLock.acquire(controller(GcFixtures.IMPATIENT), "garbage collection"))
                .isInstanceOfSatisfying(
                        LockResult.Busy.class,
                        busy -> assertThat(busy.sentence()).contains("the deploy of default/digits since"));
        // It released the lock.
        pin(controller(GcFixtures.IMPATIENT)).close();
        var collection = CompletableFuture.supplyAsync(() -> up(controller(GcFixtures.QUICK)));
        await().until(() -> refuses(controller(GcFixtures.IMPATIENT)));
        assertThat(collection).isNotDone();
        lease.confirm();
        lease.close();

        collection.join().close();
    }

    /** A deploy may start before the collection has begun; it must not delay it. */
    private static boolean refuses(Leases deployer) {
        return switch (new DeployLeases(deployer).acquire("another")) {
            case LeaseResult.Refused _ -> true;
            case LeaseResult.DeployLease lease -> {
                lease.close();
                yield false;
            }
        };
    }

    @Test
    void onlyOneCollectionRuns() {
        CollectionLock lock = up(controller(GcFixtures.QUICK));
        assertThat(CollectionLock.acquire(controller(GcFixtures.QUICK), "garbage collection"))
                .isInstanceOfSatisfying(
                        LockResult.AlreadyRunning.class,
                        taken -> assertThat(taken.sentence()).contains("under way already"));
        lock.close();
        up(controller(GcFixtures.QUICK)).close();
    }

    @Test
    void leaseOfACrashedDeployExpiresByTheStoresClock() {
        LeaseResult.DeployLease lease = pin(controller(GcFixtures.QUICK));
        later(GcFixtures.QUICK.life());
        assertThat(CollectionLock.acquire(controller(GcFixtures.IMPATIENT), "garbage collection"))
                .isInstanceOf(LockResult.Busy.class);
        later(Duration.ofMillis(1));

        up(controller(GcFixtures.IMPATIENT)).close();

        assertThatThrownBy(lease::confirm)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContainingAll("the deploy of default/digits", "try again");
    }

    @Test
    void lockOfACrashedCollectionExpires() {
        CollectionLock lock = up(controller(GcFixtures.QUICK));
        later(GcFixtures.QUICK.life().plusMillis(1));

        LeaseResult.DeployLease lease = pin(controller(GcFixtures.IMPATIENT));

        // Its own clocks do not show it, only the store does.
        lock.check();
        lock.close();
        lease.confirm();
        lease.close();
        CollectionLock next = up(controller(GcFixtures.IMPATIENT));
        later(GcFixtures.QUICK.life().plusMillis(1));
        up(controller(GcFixtures.IMPATIENT)).close();
        // Releasing a lock that another holds changes nothing.
        next.close();
        up(controller(GcFixtures.IMPATIENT)).close();
    }

    @Test
    void holderThatSleptStopsByItself() {
        var wall = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
        Leases asleep = GcFixtures.leases(store, GcFixtures.QUICK, wall::get);
        opened.add(asleep);
        CollectionLock lock = up(asleep);
        lock.check();
        wall.updateAndGet(now -> now.plus(GcFixtures.QUICK.trust()).plusSeconds(1));

        assertThatThrownBy(lock::check)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("not renewed for 61 s");
        wall.updateAndGet(now -> now.minus(Duration.ofHours(1)));
        assertThatThrownBy(lock::confirm).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void toleratesAnyClockSkewBetweenControllers() {
        Leases ahead = GcFixtures.leases(
                store, GcFixtures.IMPATIENT, InstantSource.offset(InstantSource.system(), Duration.ofDays(400)));
        opened.add(ahead);
        LeaseResult.DeployLease lease = pin(controller(GcFixtures.QUICK));

        assertThat(CollectionLock.acquire(ahead, "garbage collection")).isInstanceOf(LockResult.Busy.class);
        lease.confirm();
        lease.close();
    }

    @Test
    void keepsTheLeaseAfterALostResponse() {
        var flaky = new FailingStore(store);
        Leases leases = GcFixtures.leases(flaky, GcFixtures.QUICK);
        opened.add(leases);
        LeaseResult.DeployLease lease = pin(leases);
        flaky.failAt(1, true);
        assertThatThrownBy(lease::confirm).isInstanceOf(FailingStore.Failed.class);
        flaky.heal();

        lease.confirm();

        lease.close();
        assertThat(store.list(DeployLeases.PREFIX)).isEmpty();
    }

    @Test
    void leasesAreRenewedWhileTheyAreHeld() {
        var times = new LeaseTimes(
                Duration.ofMinutes(4),
                Duration.ofMinutes(1),
                Duration.ofMillis(5),
                Duration.ofMillis(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1));
        LeaseResult.DeployLease lease = pin(controller(times));
        ObjectKey key =
                store.list(DeployLeases.PREFIX).findFirst().orElseThrow().key();
        String first = store.stat(key).orElseThrow().etag();

        await().until(() -> !store.stat(key).orElseThrow().etag().equals(first));

        lease.close();
        assertThat(store.stat(key)).isEmpty();
    }
}
