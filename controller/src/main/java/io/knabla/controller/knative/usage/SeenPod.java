package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of one pod of a workload. Pure.
 *
 * @param gone when it was deleted; empty while it exists
 * @param phases of its start, as its status said first or as the replica reports them: a pod whose readiness flaps
 *     keeps them
 * @param runs totals of each run of the replica's container, by container id
 * @param measured when the totals were true; empty before the first
 * @param earlier runs that are not among these
 */
record SeenPod(
        Pod pod,
        Optional<Instant> gone,
        Map<String, Duration> phases,
        Map<String, ReplicaTotals> runs,
        Optional<Instant> measured,
        EarlierRuns earlier) {
    private static final int MILLI_CPU = 3;

    static SeenPod of(Pod pod) {
        return new SeenPod(pod, Optional.empty(), Map.of(), Map.of(), Optional.empty(), EarlierRuns.NONE).updated(pod);
    }

    /** Takes over the newer state, and the totals that ended runs left as their termination message. */
    SeenPod updated(Pod now) {
        Map<String, Duration> known = phases.isEmpty() ? PodStatusReader.startPhases(now) : phases;
        return PodStatusReader.replica(now).stream()
                .flatMap(SeenPod::endedRuns)
                .reduce(new SeenPod(now, gone, known, runs, measured, earlier), SeenPod::ended, (_, last) -> last);
    }

    private static Stream<ContainerStateTerminated> endedRuns(ContainerStatus container) {
        return Stream.of(container.getLastState(), container.getState())
                .flatMap(state -> PodStatusReader.terminated(state).stream())
                .filter(run -> run.getMessage() != null && run.getFinishedAt() != null);
    }

    private SeenPod ended(ContainerStateTerminated run) {
        return ReportedTotals.ofMessage(run.getMessage())
                .map(totals -> measured(run.getContainerID(), totals, Instant.parse(run.getFinishedAt())))
                .orElse(this);
    }

    SeenPod deleted(Instant at) {
        return new SeenPod(pod, Optional.of(at), phases, runs, measured, earlier);
    }

    /**
     * Replaces the phases of its start, which its status has in whole seconds only, by those that it reports first: a
     * container that was started again reports its own start.
     */
    SeenPod started(Map<String, Duration> reported) {
        boolean known = phases.keySet().containsAll(reported.keySet());
        return known ? this : new SeenPod(pod, gone, Map.copyOf(reported), runs, measured, earlier);
    }

    /** Adds totals of a run; older ones than are known change nothing. */
    SeenPod measured(String run, ReplicaTotals totals, Instant at) {
        ReplicaTotals known = runs.getOrDefault(run, ReplicaTotals.NONE);
        if (known.succeeded() > totals.succeeded() || known.cpuMillis() > totals.cpuMillis()) {
            return this;
        }
        Map<String, ReplicaTotals> all = new HashMap<>(runs);
        all.put(run, totals);
        return new SeenPod(
                pod,
                gone,
                phases,
                Map.copyOf(all),
                measured.filter(at::isBefore).or(() -> Optional.of(at)),
                earlier);
    }

    /** Adds totals with which a run that goes on answered; what they tell of others, see {@link EarlierRuns}. */
    SeenPod scraped(String run, ReplicaTotals totals, Instant at) {
        SeenPod now = measured(run, totals, at);
        boolean goesOnAfterOthers = PodStatusReader.replica(pod)
                .filter(container -> run.equals(container.getContainerID()))
                .filter(container -> container.getRestartCount() != null && container.getRestartCount() > 0)
                .isPresent();
        return goesOnAfterOthers ? now.with(earlier.measured(Work.of(now.totals(), 0))) : now;
    }

    /** @param work of all its runs, as an earlier controller recorded it */
    SeenPod recorded(Work work) {
        return with(earlier.recorded(work));
    }

    private SeenPod with(EarlierRuns others) {
        return new SeenPod(pod, gone, phases, runs, measured, others);
    }

    String uid() {
        return pod.getMetadata().getUid();
    }

    /**
     * The interval in which it holds resources; empty before it is scheduled, and for a pod whose labels name no owner.
     *
     * @param node uid of its node
     * @param noticed whether the provider takes that node back
     */
    Optional<ReplicaInterval> interval(String node, boolean noticed) {
        return WorkloadLabels.owner(pod)
                .flatMap(owner -> PodStatusReader.scheduled(pod).map(start -> {
                    Optional<PodEnd> end = PodEnd.of(pod, gone, noticed);
                    return new ReplicaInterval(
                            uid(),
                            owner.namespace(),
                            owner.recordedName(),
                            owner.number(),
                            node,
                            Amounts.requested(pod),
                            used(start),
                            new Interval(start, end.map(PodEnd::at).map(at -> at.isBefore(start) ? start : at)),
                            StartKind.COLD,
                            phases,
                            earlier.work().plus(Work.of(totals(), 0)),
                            end.map(PodEnd::reason).orElse(ReplicaEnd.RUNNING));
                }));
    }

    private ReplicaTotals totals() {
        return runs.values().stream().reduce(ReplicaTotals.NONE, ReplicaTotals::plus);
    }

    /** GPUs are held as a whole, so they are used as requested. */
    private Resources used(Instant start) {
        return measured.filter(start::isBefore)
                .map(at -> new Resources(
                        BigDecimal.valueOf(totals().cpuMillis())
                                .divide(
                                        BigDecimal.valueOf(
                                                Duration.between(start, at).toMillis()),
                                        MILLI_CPU,
                                        RoundingMode.HALF_UP),
                        totals().residentBytes(),
                        Amounts.requested(pod).gpus()))
                .orElse(Resources.NONE);
    }
}
