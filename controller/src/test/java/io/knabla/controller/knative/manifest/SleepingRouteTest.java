package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionBuilder;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.manifest.WakeDecision.Place;
import io.knabla.controller.standin.Specs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which requests move to the wake pool, and back. */
class SleepingRouteTest {
    private static final Specs PLAIN = Specs.inference();
    private static final ReplicaSize SIZE = new ReplicaSize(500, 256L << 20, 0, 0);
    private static final WakePool.State POOL = new WakePool.State(true, false, 512L << 20);

    private final SimulatedFunction world = new SimulatedFunction();

    private FunctionRecord record() {
        return new FunctionRecord(Specs.id("digits"), world.versions(), world.traffic, "");
    }

    private ObservedObjects seen(int replicas, Optional<Route> route) {
        ObservedObjects all = world.knative.observed();
        return new ObservedObjects(
                all.configurations(),
                all.revisions().stream().map(it -> withReplicas(it, replicas)).toList(),
                route.map(it -> new RouteBuilder(it)
                        .editOrNewStatus()
                        .withUrl("http://%s.%s.example.com"
                                .formatted(
                                        it.getMetadata().getName(),
                                        it.getMetadata().getNamespace()))
                        .endStatus()
                        .build()));
    }

    private ObservedObjects seen(int replicas) {
        return seen(replicas, world.knative.observed().route());
    }

    private static Revision withReplicas(Revision revision, int replicas) {
        return new RevisionBuilder(revision)
                .editOrNewStatus()
                .withActualReplicas(replicas)
                .endStatus()
                .build();
    }

    private Rollout applied(WakePool.State pool, ReplicaSize size, ObservedObjects seen) {
        Rollout planned = world.next(seen);
        SleepingRoute route = SleepingRoute.of(record(), seen, planned).orElseThrow();
        return route.apply(route.decide(pool, size, seen), seen, planned);
    }

    private static Optional<Route> route(Rollout rollout) {
        return rollout.apply().stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .findFirst();
    }

    @Test
    void movesTheRequestsOfAFunctionWithoutPodsAndKeepsItsRevisionReachable() {
        world.deploy(PLAIN).settle();

        Rollout rollout = applied(POOL, SIZE, seen(0));

        assertThat(route(rollout).orElseThrow().getSpec().getTraffic())
                .extracting(
                        TrafficTarget::getConfigurationName, TrafficTarget::getRevisionName, TrafficTarget::getPercent)
                .containsExactly(tuple("knabla-pool", null, 100L), tuple(null, world.onlyRevision(1), 0L));
        assertThat(rollout.bounds()).isEmpty();
    }

    @Test
    void changesNothingOfAFunctionThatSleeps() {
        world.deploy(PLAIN).settle();
        Optional<Route> pooled = route(applied(POOL, SIZE, seen(0)));

        assertThat(route(applied(POOL, SIZE, seen(0, pooled)))).isEmpty();
    }

    @Test
    void startsAPodForAFunctionThatIsCalledOftenAndGivesItsRequestsBack() {
        world.deploy(PLAIN).settle();
        Optional<Route> pooled = route(applied(POOL, SIZE, seen(0)));
        var often = new WakePool.State(true, true, 512L << 20);

        Rollout raised = applied(often, SIZE, seen(0, pooled));

        assertThat(route(raised)).isEmpty();
        assertThat(raised.bounds())
                .containsEntry(world.onlyRevision(1), Map.of("autoscaling.knative.dev/min-scale", "1"));
        assertThat(SleepingRoute.of(record(), seen(1, pooled), world.next(seen(1, pooled)))
                        .orElseThrow()
                        .decide(often, SIZE, seen(1, pooled))
                        .place())
                .isEqualTo(Place.OWN);
    }

    @Test
    void leavesOutWhatHasLimitsOfItsOwn() {
        world.deploy(PLAIN).settle();
        var large = new ReplicaSize(500, 1L << 30, 0, 0);
        var gpu = new ReplicaSize(500, 256L << 20, 1, 0);

        for (ReplicaSize size : List.of(large, gpu)) {
            assertThat(route(applied(POOL, size, seen(0)))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"295000, true", "295001, false"})
    void takesOnlyWhatTheFrontAnswersBeforeKnativeEndsTheRequest(long millis, boolean pooled) {
        world.deploy(PLAIN.timeout(Duration.ofMillis(millis))).settle();

        assertThat(route(applied(POOL, SIZE, seen(0))).isPresent()).isEqualTo(pooled);
    }

    @Test
    void leavesAFunctionAloneWhileItsNewestVersionStarts() {
        world.deploy(PLAIN).settle().deploy(PLAIN).step();

        assertThat(SleepingRoute.of(record(), seen(0), world.next())).isEmpty();
    }
}
