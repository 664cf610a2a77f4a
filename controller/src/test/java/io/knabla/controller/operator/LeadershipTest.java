package io.knabla.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    /** A stop in order hands over, so the lease's end must not be what the second waits for. */
    private static final Leadership.Times TIMES =
            new Leadership.Times(
                    Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofMillis(200));

    private final ApplyingServer server = new ApplyingServer();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void oneOfTwoWorksAndTheOtherGoesOnWhereItStops() {
        Leadership first = controller("first");
        first.start();
        await().until(() -> told.contains("first begins"));
        Leadership second = controller("second");
        second.start();
        first.close();

        await().until(() -> told.contains("second begins"));
        second.close();
        assertThat(told)
                .containsExactly("first begins", "first ends", "second begins", "second ends");
    }

    private Leadership controller(String name) {
        return new Leadership(
                server.client(),
                new LeaseLock("knabla-system", "knabla-operator", name),
                TIMES,
                () -> {
                    told.add(name + " begins");
                    return () -> told.add(name + " ends");
                });
    }
}
