package io.knabla.controller.knative.leader;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.knative.reconcile.ServerSideApplyMock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final String NAMESPACE = "knabla-system";
    private static final String NAME = "knabla-operator";

    /** Longer than a test may take: after a clean stop the second controller must not wait for the Lease to expire. */
    private static final LeaseTimes LONG =
            new LeaseTimes(Duration.ofMinutes(10), Duration.ofMinutes(8), Duration.ofMinutes(5), Duration.ofSeconds(5));

    private static final LeaseTimes SHORT = new LeaseTimes(
            Duration.ofSeconds(6), Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMillis(500));

    /** Frequent renewals with a long timeout: a call that times out would be repeated and counted. */
    private static final LeaseTimes BUSY =
            new LeaseTimes(LONG.leaseDuration(), LONG.renewDeadline(), Duration.ofSeconds(1), LONG.retryPeriod());

    private final ServerSideApplyMock server = new ServerSideApplyMock();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final Map<String, BooleanSupplier> leads = new ConcurrentHashMap<>();
    private final List<Leadership> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Leadership::close);
        server.close();
    }

    @Test
    void startsTheSecondControllerWhenTheFirstCloses() {
        Leadership first = controller("first", server.client(), LONG, new CountDownLatch(0));
        await().until(() -> told.contains("first begins"));
        controller("second", server.client(), LONG, new CountDownLatch(0));
        first.close();

        await().until(() -> told.contains("second begins"));
        assertThat(told).containsExactly("first begins", "first ends", "second begins");
    }

    @Test
    void keepsTheLeaseUntilItsWorkHasEnded() throws InterruptedException {
        var ending = new CountDownLatch(1);
        Leadership first = controller("first", server.client(), LONG, ending);
        await().until(() -> told.contains("first begins"));
        Thread stop = Thread.ofVirtual().start(first::close);

        await().until(() -> told.contains("first ends"));
        assertThat(holder()).isEqualTo("first");
        assertThat(leads.get("first").getAsBoolean()).isFalse();
        ending.countDown();
        stop.join();
        assertThat(holder()).isEmpty();
    }

    @Test
    void stopsBeforeAnotherStartsWhenItCannotRenew() {
        KubernetesClient cut = server.client();
        controller("first", cut, SHORT, new CountDownLatch(0));
        await().until(() -> told.contains("first begins"));
        controller("second", server.client(), SHORT, new CountDownLatch(0));
        cut.close();

        await().until(() -> told.contains("second begins"));
        // A leader that stalls before its connection is cut stops and starts once more.
        assertThat(told).containsSequence("first ends", "second begins");
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void stopsWhenAnotherTakesTheLease() {
        controller("first", server.client(), LONG, new CountDownLatch(0));
        await().until(() -> told.contains("first begins"));
        server.client().resource(lease()).edit(now -> {
            now.getSpec().setHolderIdentity("somebody");
            return now;
        });

        await().until(() -> told.contains("first ends"));
        assertThat(leads.get("first").getAsBoolean()).isFalse();
    }

    @Test
    void makesNoCallsExceptRenewals() {
        controller("first", server.client(), BUSY, new CountDownLatch(0));
        await().until(() -> told.contains("first begins"));
        controller("second", server.client(), BUSY, new CountDownLatch(0));
        await().until(() -> calls("PATCH").size() >= 6);

        assertThat(calls("POST")).as("made once").hasSize(1);
        assertThat(calls("GET")).as("listed once by each").hasSizeLessThanOrEqualTo(2);
    }

    private List<String> calls(String method) {
        return server.requests("/leases").stream()
                .filter(request -> request.startsWith(method))
                .filter(request -> !request.contains("watch=true"))
                .toList();
    }

    private Leadership controller(String name, KubernetesClient client, LeaseTimes times, CountDownLatch ending) {
        var leadership =
                new Leadership(new LeaseClient(client, NAMESPACE, NAME, name, times, Clock.systemUTC()), lead -> {
                    leads.put(name, lead);
                    told.add(name + " begins");
                    return () -> {
                        told.add(name + " ends");
                        ending.await();
                    };
                });
        leadership.start();
        open.add(leadership);
        return leadership;
    }

    private Lease lease() {
        return server.client().leases().inNamespace(NAMESPACE).withName(NAME).get();
    }

    private String holder() {
        return lease().getSpec().getHolderIdentity();
    }
}
