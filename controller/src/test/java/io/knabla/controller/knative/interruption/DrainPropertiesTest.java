package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * {@code kubectl drain} of node {@code a}, which has the only replica of a function; the decisions are the real ones.
 */
class DrainPropertiesTest {
    private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");
    private static final FunctionId FUNCTION = new FunctionId("shop", "digits");
    private static final int LIMIT = 60;

    /** Between two tries of kubectl. */
    private static final int RETRY = 5;

    /** A cluster in steps of a second. */
    private static final class Cluster {
        private final boolean openSpot;
        private final int podSeconds;
        private final int routeSeconds;
        private Optional<InterruptionTaint> taint = Optional.empty();
        private List<RunningPod> pods = new ArrayList<>(List.of(pod("old", "digits-spot", CapacityType.Spot, "a", 0)));
        private Optional<Integer> asked = Optional.empty();
        private boolean onDemand;
        private boolean held = true;

        /**
         * @param openSpot whether another spot node takes replicas
         * @param podSeconds until a new replica is ready
         * @param routeSeconds from then until requests go to it, if it is on demand
         */
        Cluster(boolean openSpot, int podSeconds, int routeSeconds) {
            this.openSpot = openSpot;
            this.podSeconds = podSeconds;
            this.routeSeconds = routeSeconds;
        }

        private static RunningPod pod(String name, String revision, CapacityType capacity, String node, int created) {
            return new RunningPod(
                    name,
                    "shop",
                    name,
                    WorkloadOwner.of(new VersionKey(FUNCTION, 1)),
                    revision,
                    new CapacitySlot(Pool.cpu, capacity),
                    node,
                    Optional.of(START.plusSeconds(created)),
                    START.plusSeconds(created),
                    Duration.ofSeconds(30),
                    Optional.empty());
        }

        boolean isDrained() {
            return pods.stream().noneMatch(pod -> pod.node().equals("a"));
        }

        /** Whether a request finds a replica. */
        boolean serves() {
            return pods.stream().anyMatch(pod -> pod.slot().isSpot() != onDemand);
        }

        void step(int second) {
            decide(START.plusSeconds(second));
            if (asked.isPresent() && second == asked.get() + podSeconds) {
                pods.add(
                        openSpot
                                ? pod("new", "digits-spot", CapacityType.Spot, "b", asked.get())
                                : pod("new", "digits-on-demand", CapacityType.OnDemand, "c", asked.get()));
            }
            onDemand |= !openSpot && asked.isPresent() && second == asked.get() + podSeconds + routeSeconds;
            if (second % RETRY == 0 && !(held && readySpot().size() <= 1)) {
                pods.removeIf(pod -> pod.node().equals("a"));
            }
        }

        private void decide(Instant now) {
            Optional<Duration> cordon = Optional.of(Duration.ofSeconds(LIMIT)).filter(_ -> !isDrained());
            var facts = new NodeClosure.Facts(taint, Optional.empty(), Optional.empty(), false, true, true, cordon);
            switch (NodeClosure.of(facts, now)) {
                case NodeClosure.Keep() -> {}
                case NodeClosure.Close(InterruptionTaint closed) -> taint = Optional.of(closed);
                case NodeClosure.Reopen() -> taint = Optional.empty();
            }
            Map<String, InterruptionTaint> closed =
                    taint.map(it -> Map.of("a", it)).orElse(Map.of());
            Handover plan = Handover.of(pods, closed, openSpot, onDemand ? Set.of(FUNCTION) : Set.of(), now);
            if (asked.isEmpty() && !plan.minimums().isEmpty()) {
                asked = Optional.of((int) Duration.between(START, now).toSeconds());
            }
            plan.moves().forEach(move -> pods.remove(move.pod()));
            held = DrainHold.of(
                            new DrainHold.Facts(
                                    readySpot().stream()
                                            .map(pod -> Optional.ofNullable(closed.get(pod.node())))
                                            .toList(),
                                    !onDemand,
                                    false,
                                    Duration.ofSeconds(LIMIT)),
                            now)
                    .holds();
        }

        private List<RunningPod> readySpot() {
            return pods.stream().filter(pod -> pod.slot().isSpot()).toList();
        }
    }

    @Property
    void aDrainLosesNoRequestIfAReplacementIsReadyInTime(
            @ForAll boolean openSpot,
            @ForAll @IntRange(min = 1, max = 40) int podSeconds,
            @ForAll @IntRange(min = 1, max = 15) int routeSeconds) {
        var cluster = new Cluster(openSpot, podSeconds, routeSeconds);
        for (int second = 0; second <= LIMIT + RETRY; second++) {
            cluster.step(second);
            assertThat(cluster.serves()).as("serves after %d s", second).isTrue();
        }
        assertThat(cluster.isDrained()).isTrue();
    }

    @Property
    void aDrainEndsWhateverHappens(@ForAll boolean openSpot, @ForAll @IntRange(min = 1, max = 999) int podSeconds) {
        var cluster = new Cluster(openSpot, podSeconds, 1);
        for (int second = 0; second <= LIMIT + RETRY; second++) {
            cluster.step(second);
        }
        assertThat(cluster.isDrained()).isTrue();
    }
}
