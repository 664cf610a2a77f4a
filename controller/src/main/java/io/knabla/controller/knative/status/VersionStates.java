package io.knabla.controller.knative.status;

import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.manifest.SleepingRoute;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The versions of one function: which ones should serve, which ones do, and the problems of each.
 *
 * @param before the status that was written last; it keeps causes that the cluster no longer shows
 */
record VersionStates(StatusInput input, Optional<FunctionObjectStatus> before) {
    FunctionSnapshot snapshot() {
        return input.snapshot();
    }

    Optional<Integer> newest() {
        return input.record()
                .map(record -> record.latest().number())
                .or(() -> before.map(FunctionObjectStatus::latestVersion));
    }

    /** Versions that should serve requests by the catalog; while the store does not answer, those of the Route. */
    List<Integer> expectedVersions() {
        return input.record()
                .map(VersionStates::withTraffic)
                .or(() -> Optional.of(routed()).filter(versions -> !versions.isEmpty()))
                .orElseGet(() -> newest().stream().toList());
    }

    private static List<Integer> withTraffic(FunctionRecord record) {
        return record.effectiveTraffic().stream()
                .filter(target -> target.percent() > 0)
                .map(target -> target.version())
                .distinct()
                .sorted()
                .toList();
    }

    /** The versions that the Route sends requests to, or that the wake pool answers for. */
    List<Integer> routed() {
        return snapshot().route().map(Route::getStatus).stream()
                .flatMap(status -> Stream.ofNullable(status.getTraffic()))
                .flatMap(List::stream)
                .filter(target -> (target.getPercent() != null && target.getPercent() > 0)
                        || SleepingRoute.TAG.equals(target.getTag()))
                .map(TrafficTarget::getRevisionName)
                .flatMap(name -> version(name).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private Optional<Integer> version(String revision) {
        return snapshot().revisions().stream()
                .filter(candidate -> candidate.getMetadata().getName().equals(revision))
                .findFirst()
                .flatMap(Revisions::version);
    }

    /** Whether a version takes requests: a replica answers, or the next request starts one. */
    boolean canServe(int version) {
        return snapshot().revisions(version).stream().anyMatch(Revisions::ready)
                && (readyPods(version).findAny().isPresent()
                        || troubles(version).isEmpty());
    }

    /** Ready pods of a version on nodes that are ready. */
    Stream<Pod> readyPods(int version) {
        return snapshot().pods(version).stream()
                .filter(Pods::ready)
                .filter(pod -> Pods.lostNode(pod, snapshot().nodes()).isEmpty());
    }

    /** Problems of a version's pods; those of its revisions if the pods show none. */
    List<Trouble> troubles(int version) {
        List<Trouble> pods = snapshot().pods(version).stream()
                .flatMap(pod -> Pods.trouble(pod, snapshot().nodes()).stream())
                .map(trouble -> withRemedy(trouble, version))
                // Lost nodes last: what prevents the next replica from starting explains more.
                .sorted(Comparator.comparing(trouble -> trouble.has(Reason.NodeGone)))
                .toList();
        return pods.isEmpty() ? ofRevisions(version) : pods;
    }

    private List<Trouble> ofRevisions(int version) {
        return snapshot().revisions(version).stream()
                .flatMap(revision -> Revisions.trouble(revision).stream())
                .map(trouble -> trouble.has(Reason.ProgressDeadlineExceeded)
                        ? previousTrouble(version).orElse(trouble)
                        : withRemedy(trouble, version))
                .toList();
    }

    /** Adds the remedy for an older version's missing unit: a deploy rebuilds only the newest unit. */
    private Trouble withRemedy(Trouble trouble, int version) {
        boolean gone = trouble.has(Reason.UnitMissing)
                && input.record()
                        .filter(record -> isOfAnOlderUnit(version, record))
                        .isPresent();
        return gone
                ? Trouble.running(
                        trouble.reason(),
                        "%s That makes the newest version's unit, not this one's: give version %d's requests to another with spec.traffic or ./knabla traffic."
                                .formatted(trouble.message(), version))
                : trouble;
    }

    private static boolean isOfAnOlderUnit(int version, FunctionRecord record) {
        return record.version(version)
                .filter(it -> !MissingUnit.usesNewestUnit(it, record))
                .isPresent();
    }

    /** The cause from the last status: Knative deleted the pods that showed it. */
    private Optional<Trouble> previousTrouble(int version) {
        return Conditions.find(before, "Ready")
                .filter(condition -> condition.getStatus().equals("False"))
                .filter(condition -> condition.getMessage().startsWith(ConditionResult.prefix(version)))
                .map(condition -> Trouble.running(
                        condition.getReason(),
                        ConditionResult.cause(condition.getMessage())
                                .substring(ConditionResult.prefix(version).length())));
    }

    /** The newest version that was ever ready, even if it is not ready now. */
    Optional<Integer> readyVersion() {
        Optional<Integer> proved = before.map(FunctionObjectStatus::readyVersion)
                .filter(version -> input.record().isEmpty()
                        || input.record().get().version(version).isPresent());
        return Stream.concat(
                        proved.stream(),
                        snapshot().revisions().stream()
                                .filter(Revisions::ready)
                                .flatMap(revision -> Revisions.version(revision).stream()))
                .max(Comparator.naturalOrder());
    }

    List<Revision> expectedRevisions() {
        return expectedVersions().stream()
                .flatMap(version -> snapshot().revisions(version).stream())
                .toList();
    }

    /** Terminating pods count until others exist: the function did not scale to zero in between. */
    List<Pod> expectedPods() {
        List<Pod> staying = expectedVersions().stream()
                .flatMap(version -> snapshot().pods(version).stream())
                .toList();
        return staying.isEmpty()
                ? expectedVersions().stream()
                        .flatMap(version -> snapshot().allPods(version))
                        .toList()
                : staying;
    }

    /** URLs by tag, as the Route has them. */
    Optional<Map<String, String>> tags() {
        Map<String, String> urls = new TreeMap<>();
        snapshot().route().map(Route::getStatus).stream()
                .flatMap(status -> Stream.ofNullable(status.getTraffic()))
                .flatMap(List::stream)
                .filter(target -> target.getTag() != null && target.getUrl() != null)
                .forEach(target -> urls.put(target.getTag(), target.getUrl()));
        return Optional.of(urls).filter(some -> !some.isEmpty());
    }

    Optional<String> url() {
        return snapshot()
                .route()
                .map(Route::getStatus)
                .map(status -> status.getUrl())
                .filter(Objects::nonNull)
                .or(() -> before.map(FunctionObjectStatus::url));
    }
}
