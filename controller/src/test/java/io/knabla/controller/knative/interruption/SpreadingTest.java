package io.knabla.controller.knative.interruption;

import static io.knabla.controller.knative.interruption.CrowdingTest.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.interruption.Crowding.Crowded;
import io.knabla.controller.knative.interruption.Spreading.Change;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two replicas are on node {@code a}; pods are on the node that their name begins with. */
class SpreadingTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00.400Z");
    private static final Instant START = NOW.plus(Spreading.SETTLED);
    private static final VersionKey OTHER = new VersionKey(new FunctionId("shop", "other"), 1);
    private static final Crowded CROWDED = new Crowded("a", 2, 2);

    private final Spreading spreading = new Spreading();

    private static List<RunningPod> pods(String... names) {
        return Stream.concat(
                        Stream.of("a1", "a2").map(name -> pod(name, Instant.EPOCH)),
                        Stream.of(names).map(name -> pod(name, START)))
                .toList();
    }

    private static RunningPod pod(String name, Instant created) {
        return CrowdingTest.pod(name, true, "digits-1", created);
    }

    private Change round(Instant now, List<RunningPod> pods, VersionKey... crowded) {
        return spreading.round(
                pods, Stream.of(crowded).collect(Collectors.toMap(version -> version, _ -> CROWDED)), now);
    }

    private void start() {
        round(NOW, pods(), VERSION);
        assertThat(round(START, pods(), VERSION)).isInstanceOf(Change.Started.class);
    }

    @Test
    void oneReplicaMoreRunsOnceReplicasHaveCrowdedForAWhile() {
        assertThat(round(NOW, pods(), VERSION)).isEqualTo(new Change.Nothing());
        assertThat(round(START.minusMillis(1), pods(), VERSION)).isEqualTo(new Change.Nothing());
        assertThat(spreading.minimums()).isEmpty();

        assertThat(round(START, pods(), VERSION)).isInstanceOf(Change.Started.class);
        assertThat(spreading.minimums()).isEqualTo(Map.of(VERSION, 3));
    }

    @Test
    void crowdingThatEndsByItselfStartsNothing() {
        round(NOW, pods(), VERSION);
        round(NOW.plusSeconds(20), pods());
        assertThat(round(START, pods(), VERSION)).isEqualTo(new Change.Nothing());
    }

    @Test
    void theSurplusMayEndOnceAnotherNodeHasAReplica() {
        start();
        assertThat(round(START.plusSeconds(5), pods())).isEqualTo(new Change.Nothing());
        assertThat(spreading.minimums()).isEqualTo(Map.of(VERSION, 3));

        assertThat(round(START.plusSeconds(10), pods("b1"))).isInstanceOf(Change.Spread.class);
        assertThat(spreading.minimums()).isEmpty();
    }

    @Test
    void aReplicaOnTheSameNodeIsNoSuccessAndIsTriedAgainLater() {
        start();
        Instant failed = START.plusSeconds(10);
        assertThat(round(failed, pods("a3"), VERSION)).isInstanceOf(Change.Failed.class);
        assertThat(spreading.minimums()).isEmpty();

        Instant again = failed.plus(Spreading.BACKOFF);
        assertThat(round(again.minusMillis(1), pods(), VERSION)).isEqualTo(new Change.Nothing());
        assertThat(round(again, pods(), VERSION)).isInstanceOf(Change.Started.class);
    }

    @Test
    void aReplicaThatDoesNotStartEndsTheAttempt() {
        start();
        Instant late = START.plus(Spreading.PATIENCE);
        assertThat(round(late.minusMillis(1), pods(), VERSION)).isEqualTo(new Change.Nothing());
        assertThat(round(late, pods(), VERSION)).isInstanceOf(Change.Failed.class);
    }

    @Test
    void aControllerThatLeadsAgainBeginsAnew() {
        start();
        spreading.clear();
        assertThat(spreading.minimums()).isEmpty();

        Instant again = START.plus(Spreading.PATIENCE);
        assertThat(round(again, pods(), VERSION)).isEqualTo(new Change.Nothing());
        assertThat(round(again.plus(Spreading.SETTLED), pods(), VERSION)).isInstanceOf(Change.Started.class);
    }

    @Test
    void nextVersionsWaitAMinute() {
        round(NOW, pods(), VERSION, OTHER);
        Change.Started first = (Change.Started) round(START, pods(), VERSION, OTHER);
        VersionKey second = first.attempt().version().equals(VERSION) ? OTHER : VERSION;
        Instant done = START.plus(Duration.ofSeconds(1));
        spreading.round(
                Stream.of("a1", "a2", "b1")
                        .map(name -> of(first.attempt().version(), name))
                        .toList(),
                Map.of(second, CROWDED),
                done);
        assertThat(spreading.minimums()).isEmpty();

        Instant minute = START.plus(Spreading.PACE);
        assertThat(round(minute.minusMillis(1), pods(), second)).isEqualTo(new Change.Nothing());
        assertThat(round(minute, pods(), second)).isInstanceOf(Change.Started.class);
    }

    private static RunningPod of(VersionKey version, String name) {
        RunningPod pod = pod(name, START);
        return new RunningPod(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                WorkloadOwner.of(version),
                pod.revision(),
                pod.slot(),
                pod.node(),
                pod.readySince(),
                pod.created(),
                pod.grace(),
                pod.waiting());
    }
}
