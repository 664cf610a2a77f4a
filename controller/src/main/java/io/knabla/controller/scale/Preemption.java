package io.knabla.controller.scale;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.VersionKey;
import io.knabla.functions.spec.FunctionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Selects the idle replicas to stop when all slots are taken and another version waits for its first replica; a pure
 * function.
 */
final class Preemption {
    /** A shorter pause between two requests of a client does not cost it its replica. */
    static final Duration LEAST_IDLE = Duration.ofMillis(500);

    private Preemption() {}

    /** A version without a replica that requests or a deploy wait for, and for which no slot is free. */
    record Pending(VersionKey version, FunctionSpec spec) {}

    /**
     * A ready replica without requests that its version may lose.
     *
     * @param node where it runs
     * @param idle time since the last request to its version
     */
    record IdleReplica(String id, VersionKey version, Node node, Duration idle) {}

    /** @param reason why this replica, for people */
    record Eviction(IdleReplica replica, String reason) {}

    /**
     * Evicts the longest idle replica for each pending version, unless a slot for it is becoming free already.
     *
     * @param pending those that wait longest first
     * @param freeing the node of each draining replica
     * @param idle at most as many of each version as it has beyond its minimum
     */
    static List<Eviction> decide(List<Pending> pending, List<Node> freeing, List<IdleReplica> idle) {
        List<Node> expected = new ArrayList<>(freeing);
        List<IdleReplica> candidates = new ArrayList<>(idle);
        candidates.removeIf(replica -> replica.idle().compareTo(LEAST_IDLE) < 0);
        candidates.sort(Comparator.comparing(IdleReplica::idle).reversed().thenComparing(IdleReplica::id));
        List<Eviction> evictions = new ArrayList<>();
        for (Pending version : pending) {
            if (takeFirst(expected, node -> Placement.allows(version.spec(), node))
                    .isEmpty()) {
                takeFirst(candidates, replica -> Placement.allows(version.spec(), replica.node()))
                        .map(replica -> new Eviction(replica, reason(replica, version)))
                        .ifPresent(evictions::add);
            }
        }
        return evictions;
    }

    private static <T> Optional<T> takeFirst(List<T> from, Predicate<T> wanted) {
        Optional<T> found = from.stream().filter(wanted).findFirst();
        found.ifPresent(from::remove);
        return found;
    }

    private static String reason(IdleReplica replica, Pending version) {
        return "idle for %.1f s, makes room on %s for %s, which waits for a slot"
                .formatted(replica.idle().toMillis() / 1000.0, replica.node().name(), version.version());
    }
}
