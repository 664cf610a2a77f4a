package io.knabla.controller.knative.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadEstimateTest {
    private final LoadEstimate load = new LoadEstimate();

    static ReplicaInterval replica(String id, long busyMillis) {
        return new ReplicaInterval(
                id,
                "default",
                "digits",
                1,
                "node",
                Resources.NONE,
                Resources.NONE,
                new Interval(Instant.EPOCH, Optional.empty()),
                StartKind.COLD,
                Map.of(),
                new Work(1, 0, 0, 0, busyMillis),
                ReplicaEnd.RUNNING);
    }

    private double at(int second, ReplicaInterval... replicas) {
        load.observe(List.of(replicas), Instant.EPOCH.plusSeconds(second));
        return load.concurrency();
    }

    @Test
    void addsWhatAllReplicasDidSinceTheFirstSample() {
        assertThat(at(0, replica("a", 1_000_000))).isZero();
        assertThat(at(10, replica("a", 1_005_000))).isEqualTo(0.5);
        assertThat(at(20, replica("a", 1_010_000), replica("new", 20_000))).isEqualTo(1.5);
        assertThat(at(30, replica("new", 20_000))).as("a has ended").isEqualTo(1);
    }

    @Test
    void forgetsWhatIsOlderThanAMinute() {
        at(0, replica("a", 0));
        at(10, replica("a", 60_000));
        assertThat(at(60, replica("a", 60_000))).isEqualTo(1);
        assertThat(at(70, replica("a", 60_000))).isZero();
        assertThat(at(80, replica("a", 60_000))).isZero();
    }
}
