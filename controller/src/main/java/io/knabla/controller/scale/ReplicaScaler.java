package io.knabla.controller.scale;

import static java.lang.System.Logger.Level.INFO;

import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.scale.Placement.Closed;
import io.knabla.controller.scale.Placement.Impossible;
import io.knabla.controller.scale.Placement.NodeUsage;
import io.knabla.controller.scale.Placement.Placed;
import io.knabla.controller.scale.Placement.Refused;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.scale.fleet.ReasonTexts;
import io.knabla.controller.spot.live.FleetInput;
import io.knabla.controller.spot.live.FleetPlan;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.PlanLine.Launch;
import io.knabla.controller.spot.policy.Reason;
import io.knabla.controller.spot.policy.Reason.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * Starts and stops the replicas of one version as its spot policy plans. Launches that the target needs fall back to
 * other zones and to the other capacity; the others happen as planned or not at all. The policy learns of each one that
 * found no room as planned, and when there is room again. Used by the autoscaler's thread only.
 */
final class ReplicaScaler {
    private static final System.Logger LOG = System.getLogger(ReplicaScaler.class.getName());

    private final Cluster cluster;
    private final Preemptor preemptor;
    private final SpotCapacity capacity;
    private final BiConsumer<VersionScaling, Unavailable> unavailable;

    /** @param unavailable called when a version without replicas cannot start one */
    ReplicaScaler(
            Cluster cluster,
            Preemptor preemptor,
            SpotCapacity capacity,
            BiConsumer<VersionScaling, Unavailable> unavailable) {
        this.cluster = cluster;
        this.preemptor = preemptor;
        this.capacity = capacity;
        this.unavailable = unavailable;
    }

    /** @param target replicas that should be ready */
    void scale(VersionScaling version, int target, boolean reachable, ToIntFunction<String> inFlight, Instant now) {
        List<Replica> own = cluster.replicas().stream()
                .filter(version::owns)
                .filter(replica -> Autoscaler.isRunning(replica) || replica.state() == Replica.State.DRAINING)
                .toList();
        if (own.isEmpty() && target == 0) {
            version.clearUnplaced();
            return;
        }
        var view = new FleetView(cluster.nodes(), capacity.signals().current(), capacity.prices());
        int turn = version.key.hashCode() & Integer.MAX_VALUE;
        FleetInput input = view.input(now, version.version.spec(), target, own, inFlight, turn);
        version.fleet.recheck(offering -> exactly(version, offering, "", now).isPresent(), now);
        FleetPlan plan = version.fleet.plan(input, capacity.random());
        int running = (int) own.stream().filter(Autoscaler::isRunning).count();
        plan.drains().forEach((replica, reason) -> drain(version, replica, reason));
        plan.kept().forEach(this::explainStay);
        launch(version, plan, running, reachable, now);
    }

    private void drain(VersionScaling version, String replica, Reason reason) {
        LOG.log(
                INFO,
                "stopping {0}: {1}; {2}",
                replica,
                ReasonTexts.of(reason),
                version.decision.map(KpaDecider.Decision::reason).orElse(""));
        explain(replica, reason, ReasonTexts.of(reason));
        cluster.stop(replica);
    }

    /** While nothing threatens a replica, the reason of its launch holds. */
    private void explainStay(String replica, Reason reason) {
        boolean waited = capacity.reasons()
                .of(replica)
                .filter(known -> known.cause().equals(Cause.REPLACEMENT_STARTING.name()))
                .isPresent();
        if (waited || reason.cause() != Cause.NEEDED) {
            explain(replica, reason, ReasonTexts.of(reason));
        }
    }

    private void explain(String replica, Reason reason, String message) {
        capacity.reasons().put(replica, new PlacementReason(reason.cause().name(), message));
    }

    private void launch(VersionScaling version, FleetPlan plan, int running, boolean reachable, Instant now) {
        Optional<Unavailable> crashLoop = version.crashLoop(now);
        if (crashLoop.isPresent() && plan.missing() > 0) {
            version.clearUnplaced();
            if (running == 0) {
                unavailable.accept(version, crashLoop.get());
            }
            return;
        }
        if (crashLoop.isEmpty()) {
            plan.extra()
                    .ifPresent(launch -> asPlanned(version, launch, now)
                            .ifPresentOrElse(
                                    placement -> start(version, placement, launch, running, reachable, now),
                                    () -> version.fleet.refused(launch.offering(), now)));
        }
        Deque<Launch> attempts = new ArrayDeque<>(plan.launches());
        int most = attempts.isEmpty() ? 0 : version.backoff.failing() ? Math.min(1, plan.missing()) : plan.missing();
        for (int started = 0; started < most; started++) {
            Launch launch = attempts.size() > 1 ? attempts.poll() : attempts.element();
            if (asPlanned(version, launch, now).isEmpty()) {
                version.fleet.refused(launch.offering(), now);
            }
            Placement placement = Placement.place(
                    version.version.spec(), launch.offering(), ReasonTexts.of(launch.reason()), nodes(version, now));
            if (!start(version, placement, launch, running + started, reachable, now)) {
                return;
            }
        }
        version.clearUnplaced();
    }

    private Optional<Placement> asPlanned(VersionScaling version, Launch launch, Instant now) {
        return exactly(version, launch.offering(), ReasonTexts.of(launch.reason()), now);
    }

    private Optional<Placement> exactly(VersionScaling version, Offering planned, String why, Instant now) {
        return Placement.exactly(version.version.spec(), planned, why, nodes(version, now));
    }

    private List<NodeUsage> nodes(VersionScaling version, Instant now) {
        return NodeUsages.of(cluster, version, node -> capacity.closed(node, now));
    }

    /** Returns whether the next one may be tried. */
    private boolean start(
            VersionScaling version, Placement placement, Launch launch, int running, boolean reachable, Instant now) {
        return switch (placement) {
            case Placed(String node, String reason) -> {
                boolean mayTake = version.mayTakeContestedSlot(running, reachable) || !preemptor.awaited(node, version);
                if (mayTake) {
                    startReplica(version, node, launch.reason(), reason);
                }
                yield mayTake;
            }
            case Refused(String reason) -> {
                // Its requests wait: a slot may become free before they time out.
                Unavailable trouble = unplaced(version, Unavailable.Kind.Unplaceable, reason, Autoscaler.PERIOD);
                version.unplaced(trouble, running == 0, now);
                yield false;
            }
            case Closed(String reason, Instant until) -> {
                Duration wait = Duration.between(now, until);
                Unavailable trouble = unplaced(version, Unavailable.Kind.Unplaceable, reason, wait);
                version.unplaced(trouble, running == 0, now);
                // Requests that a node may still serve in time wait for it.
                if (running == 0 && wait.compareTo(version.version.spec().timeout()) > 0) {
                    unavailable.accept(version, trouble);
                }
                yield false;
            }
            case Impossible(String reason) -> {
                Unavailable trouble = unplaced(version, Unavailable.Kind.PlacementFailed, reason, Autoscaler.PERIOD);
                version.unplaced(trouble, false, now);
                if (running == 0) {
                    unavailable.accept(version, trouble);
                }
                yield false;
            }
        };
    }

    private void startReplica(VersionScaling version, String node, Reason cause, String reason) {
        Replica replica = cluster.start(new ReplicaRequest(version.key.function(), version.version, node));
        explain(replica.id(), cause, reason);
        LOG.log(
                INFO,
                "starting {0} on {1} ({2}): {3}",
                replica.id(),
                node,
                reason,
                version.decision.map(KpaDecider.Decision::reason).orElse(""));
    }

    private static Unavailable unplaced(
            VersionScaling version, Unavailable.Kind kind, String reason, Duration retryAfter) {
        return new Unavailable(kind, "%s cannot be placed: %s".formatted(version.key, reason), retryAfter);
    }
}
