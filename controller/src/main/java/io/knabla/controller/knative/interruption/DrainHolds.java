package io.knabla.controller.knative.interruption;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.knative.interruption.DrainBudgets.RevisionKey;
import io.knabla.controller.knative.signal.InterruptionTaint;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Holds the last spot replicas of Revisions as {@link DrainHold} decides. One thread at a time. */
final class DrainHolds implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DrainHolds.class.getName());

    /** A Route is asked for no more often. */
    private static final Duration ASKED = Duration.ofSeconds(1);

    private final DrainBudgets budgets;
    private final InterruptionCalls calls;
    private final MoveReports reports;
    private final Duration limit;
    private final Map<RevisionKey, DrainHold> decided = new HashMap<>();
    private final Map<RevisionKey, Routed> routes = new HashMap<>();
    private final Set<RevisionKey> failed = new HashSet<>();

    private record Routed(boolean is, Instant at) {}

    /** @param limit longest time for which the drain of a cordoned node waits; zero to hold nothing */
    DrainHolds(DrainBudgets budgets, InterruptionCalls calls, MoveReports reports, Duration limit) {
        this.budgets = budgets;
        this.calls = calls;
        this.reports = reports;
        this.limit = limit;
    }

    /** Time for which replicas on a cordoned node are held and replaced; empty if it is left to Kubernetes. */
    Optional<Duration> limit() {
        return Optional.of(limit).filter(time -> !time.isZero());
    }

    /**
     * @param objects the pods as the API server has them
     * @param moved Revisions of which a replica is evicted in this round
     */
    void round(
            List<RunningPod> pods,
            Collection<Pod> objects,
            Map<String, InterruptionTaint> closed,
            Set<RevisionKey> moved,
            Instant now) {
        if (!budgets.hasSynced()) {
            return;
        }
        Map<RevisionKey, List<RunningPod>> ready = pods.stream()
                .filter(pod ->
                        pod.ready() && pod.slot().isSpot() && !pod.revision().isEmpty())
                .collect(groupingBy(RevisionKey::of));
        Set<RevisionKey> held = budgets.held();
        Set<RevisionKey> all = new HashSet<>(held);
        all.addAll(ready.keySet());
        all.removeAll(moved);
        Map<String, Pod> byUid = new HashMap<>();
        List<PodDisruptionBudget> others = budgets.others();
        objects.forEach(pod -> byUid.put(pod.getMetadata().getUid(), pod));
        decided.keySet().retainAll(all);
        routes.keySet().retainAll(all);
        failed.retainAll(all);
        for (RevisionKey revision : all) {
            List<RunningPod> replicas = ready.getOrDefault(revision, List.of());
            DrainHold decision = DrainHold.of(facts(revision, replicas, byUid::get, others, closed, now), now);
            tell(revision, replicas, decision);
            apply(revision, replicas, byUid::get, held.contains(revision), decision);
        }
    }

    /** What an earlier controller, or this one by other settings, has held. */
    void releaseAll(Instant now) {
        round(List.of(), List.of(), Map.of(), Set.of(), now);
    }

    private DrainHold.Facts facts(
            RevisionKey revision,
            List<RunningPod> ready,
            Function<String, Pod> object,
            List<PodDisruptionBudget> others,
            Map<String, InterruptionTaint> closed,
            Instant now) {
        List<Optional<InterruptionTaint>> nodes = ready.stream()
                .map(pod -> Optional.ofNullable(closed.get(pod.node())))
                .toList();
        boolean leaves = !nodes.isEmpty() && nodes.stream().allMatch(Optional::isPresent);
        boolean other = ready.stream().anyMatch(pod -> DrainBudgets.select(others, object.apply(pod.uid())));
        return new DrainHold.Facts(nodes, !leaves || isRouted(revision, ready.getFirst(), now), other, limit);
    }

    private boolean isRouted(RevisionKey revision, RunningPod pod, Instant now) {
        return routes.compute(
                        revision,
                        (_, before) ->
                                before != null && now.isBefore(before.at().plus(ASKED))
                                        ? before
                                        : new Routed(calls.isRouted(pod), now))
                .is();
    }

    private void apply(
            RevisionKey revision,
            List<RunningPod> ready,
            Function<String, Pod> object,
            boolean held,
            DrainHold decision) {
        try {
            if (decision.holds() && !held) {
                budgets.hold(object.apply(ready.getFirst().uid()));
            } else if (!decision.holds() && held) {
                budgets.release(revision);
            }
            failed.remove(revision);
        } catch (KubernetesClientException refused) {
            if (failed.add(revision)) {
                LOG.log(WARNING, "a drain cannot be held or released: {0}", refused.getMessage());
            }
        }
    }

    /** Once for each change. */
    private void tell(RevisionKey revision, List<RunningPod> ready, DrainHold decision) {
        if (decided.put(revision, decision) == decision) {
            return;
        }
        switch (decision) {
            case AWAITS_REPLACEMENT -> LOG.log(INFO, "a drain waits for the replacement of {0}", revision.name());
            case LIMIT ->
                reports.unheld(
                        ready.getFirst(),
                        "its node is drained, and no replacement was ready within %d s".formatted(limit.toSeconds()));
            case STANDS_BY, NO_REPLICA, ROUTED_AWAY, OTHER_BUDGET, OFF -> {}
        }
    }

    /** Before the pod is evicted: a budget would refuse that too. */
    void release(RunningPod pod) {
        RevisionKey revision = RevisionKey.of(pod);
        if (budgets.held().contains(revision)) {
            budgets.release(revision);
        }
    }

    @Override
    public void close() {
        budgets.close();
    }
}
