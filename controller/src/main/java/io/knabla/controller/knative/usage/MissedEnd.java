package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What events tell of the end of a pod or of a node that nobody watched; the API server keeps them for about an hour.
 * Pure.
 *
 * @param at the latest event of its end; empty if there is none
 * @param interrupted whether an event says that the provider took the node back, or that a pod was forced off it
 */
record MissedEnd(Optional<Instant> at, boolean interrupted) {
    private static final Set<String> NOTICES = Set.of("SpotInterrupted", "SpotInterruption", "PreemptScheduled");
    private static final Set<String> NODE_ENDS = Set.of("RemovingNode", "DeletingNode");
    private static final Set<String> FORCED = Set.of("Preempted", "Preempting", "TaintManagerEviction");
    private static final Set<String> POD_ENDS = Set.of("Killing", "Evicted");

    /** Karpenter reports every eviction with this reason, the kubelet those for want of memory or disk. */
    private static final String EVICTED = "Evicted";

    static MissedEnd ofNode(List<Event> events) {
        return new MissedEnd(
                latest(events.stream().filter(event -> NODE_ENDS.contains(event.getReason()))),
                events.stream().anyMatch(event -> NOTICES.contains(event.getReason())));
    }

    static MissedEnd ofPod(List<Event> events) {
        List<Event> ends = events.stream()
                .filter(event -> FORCED.contains(event.getReason()) || POD_ENDS.contains(event.getReason()))
                .filter(MissedEnd::ends)
                .toList();
        return new MissedEnd(
                latest(ends.stream()),
                ends.stream().anyMatch(MissedEnd::isForced)
                        || events.stream().anyMatch(event -> NOTICES.contains(event.getReason())));
    }

    /** Containers are killed to be restarted too, and evictions are cancelled. */
    private static boolean ends(Event event) {
        String note = Objects.toString(event.getNote(), "");
        return !note.contains("will be restarted") && !note.startsWith("Cancelling");
    }

    private static boolean isForced(Event event) {
        return FORCED.contains(event.getReason())
                || EVICTED.equals(event.getReason()) && "kubelet".equals(event.getReportingController());
    }

    private static Optional<Instant> latest(Stream<Event> events) {
        return events.flatMap(MissedEnd::times).max(Instant::compareTo);
    }

    private static Stream<Instant> times(Event event) {
        Stream<String> exact = Stream.of(
                        Optional.ofNullable(event.getEventTime()),
                        Optional.ofNullable(event.getSeries()).map(series -> series.getLastObservedTime()))
                .flatMap(Optional::stream)
                .map(MicroTime::getTime);
        return Stream.concat(exact, Stream.ofNullable(event.getDeprecatedLastTimestamp()))
                .map(Instant::parse);
    }
}
