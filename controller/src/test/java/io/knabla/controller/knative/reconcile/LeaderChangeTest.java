package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.DIGITS;
import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Route;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new operator takes over while a packaging of the previous one still runs. */
class LeaderChangeTest {
    private final CountDownLatch late = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private OperatorFixture world;

    @BeforeEach
    void open() {
        world = new OperatorFixture();
    }

    @AfterEach
    void close() {
        late.countDown();
        world.close();
    }

    @Test
    void continuesAPackagingOfThePreviousOperator() {
        PackagingQueue packagings = slow();
        FunctionOperator first = world.startOperator(packagings);
        world.apply("digits", 4);
        hold(begun);
        first.close();
        world.startOperator(packagings);
        world.apply("digits", 5);
        await().until(() -> observed() == 2);
        late.countDown();

        await().until(() -> concurrencies().equals(List.of(4, 5)));
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
    }

    @Test
    void aLatePackagingOfAFormerLeaderDoesNotReplaceANewerSpec() {
        FunctionOperator former = world.startOperator(slow());
        world.apply("digits", 4);
        hold(begun);
        former.close();
        world.startOperator(world::record);
        world.apply("digits", 5);
        await().until(() -> concurrencies().contains(5));
        await().until(() -> route() != null);
        late.countDown();
        hold(over);
        // Any event that triggers a reconciliation will do.
        world.client.resource(route()).delete();

        await().until(() -> concurrencies().getLast() == 5);
        assertThat(concurrencies()).containsSubsequence(5, 4, 5);
    }

    @Test
    void deletesTheRecordOfALatePackagingAfterTheFunctionIsGone() {
        FunctionOperator former = world.startOperator(slow());
        world.apply("digits", 4);
        hold(begun);
        former.close();
        world.startOperator(world::record);
        await().until(() -> !concurrencies().isEmpty());
        world.delete("digits");
        await().until(() -> world.function("digits").isEmpty());
        assertThat(concurrencies()).isEmpty();
        late.countDown();
        hold(over);

        await().until(() -> concurrencies().isEmpty());
    }

    private PackagingQueue slow() {
        return world.packagings(wish -> {
            begun.countDown();
            hold(late);
            var made = world.record(wish, Instant.EPOCH);
            over.countDown();
            return made;
        });
    }

    private long observed() {
        return world.function("digits")
                .map(FunctionObject::getStatus)
                .map(FunctionObjectStatus::observedGeneration)
                .orElse(0L);
    }

    private List<Integer> concurrencies() {
        return world.catalog.find(DIGITS).map(FunctionRecord::versions).orElse(List.of()).stream()
                .map(version -> version.spec().scaling().concurrency())
                .toList();
    }

    private Route route() {
        return world.client
                .resources(Route.class)
                .inNamespace(NAMESPACE)
                .withName("digits")
                .get();
    }

    private static void hold(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
