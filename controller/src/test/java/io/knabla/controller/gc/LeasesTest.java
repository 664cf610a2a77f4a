package io.knabla.controller.gc;

import static io.knabla.controller.standin.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.gc.Flag.Raised;
import io.knabla.controller.gc.Pins.Taken;
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
        Leases leases = Collectors.leases(store, times);
        opened.add(leases);
        return leases;
    }

    private void later(Duration time) {
        storeTime.updateAndGet(now -> now.plus(time));
    }

    private static Flag up(Leases leases) {
        return ((Raised.Up) Flag.raise(leases, "garbage collection")).flag();
    }

    private static Taken.Pin pin(Leases leases) {
        return (Taken.Pin) new Pins(leases).take("the deploy of default/digits");
    }

    @Test
    void oneOfManyConcurrentClaimsSucceeds() {
        List<CompletableFuture<Boolean>> claims = IntStream.range(0, 16)
                .mapToObj(_ -> CompletableFuture.supplyAsync(
                        () -> controller(Collectors.QUICK).claim(KEY, "work").isPresent()))
                .toList();
        assertThat(claims.stream().filter(CompletableFuture::join)).hasSize(1);
    }

    @Test
    void deployWaitsForACollectionWithoutALease() {
        Flag lock = up(controller(Collectors.QUICK));
        var deploy = CompletableFuture.supplyAsync(() -> pin(controller(Collectors.QUICK)));

        await().until(() -> store.stat(new ObjectKey("gc/running.json")).isPresent());
        assertThat(new Pins(controller(Collectors.IMPATIENT)).take("another deploy"))
                .isInstanceOfSatisfying(
                        Taken.Refused.class,
                        refused ->
                                assertThat(refused.sentence()).contains("garbage collection since", "another deploy"));
        assertThat(deploy).isNotDone();
        await().until(() -> store.list(Pins.PREFIX).findAny().isEmpty());
        lock.close();

        deploy.join().close();
        assertThat(store.list(Pins.PREFIX)).isEmpty();
    }

    @Test
    void collectionWaitsForDeploysAndNamesThem() {
        Taken.Pin lease = pin(controller(Collectors.QUICK));

        assertThat(Flag.raise(controller(Collectors.IMPATIENT), "garbage collection"))
                .isInstanceOfSatisfying(
                        Raised.Busy.class,
                        busy -> assertThat(busy.sentence()).contains("the deploy of default/digits since"));
        // It released the lock.
        pin(controller(Collectors.IMPATIENT)).close();
        var collection = CompletableFuture.supplyAsync(() -> up(controller(Collectors.QUICK)));
        await().until(() -> refuses(controller(Collectors.IMPATIENT)));
        assertThat(collection).isNotDone();
        lease.confirm();
        lease.close();

        collection.join().close();
    }

    /** A deploy may start before the collection has begun; it must not delay it. */
    private static boolean refuses(Leases deployer) {
        return switch (new Pins(deployer).take("another")) {
            case Taken.Refused _ -> true;
            case Taken.Pin lease -> {
                lease.close();
                yield false;
            }
        };
    }

    @Test
    void onlyOneCollectionRuns() {
        Flag lock = up(controller(Collectors.QUICK));
        assertThat(Flag.raise(controller(Collectors.QUICK), "garbage collection"))
                .isInstanceOfSatisfying(
                        Raised.Taken.class,
                        taken -> assertThat(taken.sentence()).contains("under way already"));
        lock.close();
        up(controller(Collectors.QUICK)).close();
    }

    @Test
    void leaseOfACrashedDeployExpiresByTheStoresClock() {
        Taken.Pin lease = pin(controller(Collectors.QUICK));
        later(Collectors.QUICK.life());
        assertThat(Flag.raise(controller(Collectors.IMPATIENT), "garbage collection"))
                .isInstanceOf(Raised.Busy.class);
        later(Duration.ofMillis(1));

        up(controller(Collectors.IMPATIENT)).close();

        assertThatThrownBy(lease::confirm)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContainingAll("the deploy of default/digits", "try again");
    }

    @Test
    void lockOfACrashedCollectionExpires() {
        Flag lock = up(controller(Collectors.QUICK));
        later(Collectors.QUICK.life().plusMillis(1));

        Taken.Pin lease = pin(controller(Collectors.IMPATIENT));

        // Its own clocks do not show it, only the store does.
        lock.check();
        lock.close();
        lease.confirm();
        lease.close();
        Flag next = up(controller(Collectors.IMPATIENT));
        later(Collectors.QUICK.life().plusMillis(1));
        up(controller(Collectors.IMPATIENT)).close();
        // Releasing a lock that another holds changes nothing.
        next.close();
        up(controller(Collectors.IMPATIENT)).close();
    }

    @Test
    void holderThatSleptStopsByItself() {
        var wall = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
        Leases asleep = Collectors.leases(store, Collectors.QUICK, wall::get);
        opened.add(asleep);
        Flag lock = up(asleep);
        lock.check();
        wall.updateAndGet(now -> now.plus(Collectors.QUICK.trust()).plusSeconds(1));

        assertThatThrownBy(lock::check)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("not renewed for 61 s");
        wall.updateAndGet(now -> now.minus(Duration.ofHours(1)));
        assertThatThrownBy(lock::confirm).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void toleratesAnyClockSkewBetweenControllers() {
        Leases ahead = Collectors.leases(
                store, Collectors.IMPATIENT, InstantSource.offset(InstantSource.system(), Duration.ofDays(400)));
        opened.add(ahead);
        Taken.Pin lease = pin(controller(Collectors.QUICK));

        assertThat(Flag.raise(ahead, "garbage collection")).isInstanceOf(Raised.Busy.class);
        lease.confirm();
        lease.close();
    }

    @Test
    void keepsTheLeaseAfterALostResponse() {
        var flaky = new FailingStore(store);
        Leases leases = Collectors.leases(flaky, Collectors.QUICK);
        opened.add(leases);
        Taken.Pin lease = pin(leases);
        flaky.failAt(1, true);
        assertThatThrownBy(lease::confirm).isInstanceOf(FailingStore.Failed.class);
        flaky.heal();

        lease.confirm();

        lease.close();
        assertThat(store.list(Pins.PREFIX)).isEmpty();
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
        Taken.Pin lease = pin(controller(times));
        ObjectKey key = store.list(Pins.PREFIX).findFirst().orElseThrow().key();
        String first = store.stat(key).orElseThrow().etag();

        await().until(() -> !store.stat(key).orElseThrow().etag().equals(first));

        lease.close();
        assertThat(store.stat(key)).isEmpty();
    }
}
