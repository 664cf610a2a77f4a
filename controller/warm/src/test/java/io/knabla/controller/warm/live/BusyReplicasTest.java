package io.knabla.controller.warm.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.warm.live.BusyReplicas.Change;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BusyReplicasTest {
    private final BusyReplicas replicas = new BusyReplicas();

    @Test
    void requestsTakeTheLowestReplica() {
        replicas.capacity(4);
        replicas.requests(5, 100);
        replicas.requests(-1, 200);
        replicas.requests(-4, 300);

        assertThat(replicas.take(5_000))
                .containsExactlyInAnyOrder(
                        new Change(0, true, 100),
                        new Change(1, true, 100),
                        new Change(1, false, 200),
                        new Change(0, false, 300));
    }

    @Test
    void shortPausesAreLeftOut() {
        for (int at = 0; at < 100_000; at += 500) {
            replicas.requests(1, at);
            replicas.requests(-1, at);
        }

        assertThat(replicas.take(100_000)).containsExactly(new Change(0, true, 0));
        assertThat(replicas.take(101_000)).containsExactly(new Change(0, false, 99_500));
        assertThat(replicas.take(200_000)).isEmpty();
    }

    @Test
    void onlyTheFirstReplicasAreTold() {
        replicas.requests(1_000, 0);

        assertThat(replicas.take(1)).hasSize(BusyReplicas.MOST);
        assertThat(replicas.busy()).isEqualTo(BusyReplicas.MOST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void eachReplicaIsBusyAndIdleInTurn(long seed) {
        Random random = new Random(seed);
        boolean[] busy = new boolean[BusyReplicas.MOST];
        long[] last = new long[BusyReplicas.MOST];
        long now = 0;
        for (int step = 0; step < 5_000; step++) {
            now += random.nextInt(900);
            replicas.requests(random.nextBoolean() ? 1 : -1, now);
            List<Change> changes = random.nextInt(5) == 0 ? replicas.take(now) : List.of();
            for (Change change : changes) {
                assertThat(change.busy()).isNotEqualTo(busy[change.replica()]);
                assertThat(change.at()).isGreaterThanOrEqualTo(last[change.replica()]);
                busy[change.replica()] = change.busy();
                last[change.replica()] = change.at();
            }
        }
    }
}
