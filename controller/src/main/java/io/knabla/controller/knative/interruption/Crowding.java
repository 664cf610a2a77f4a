package io.knabla.controller.knative.interruption;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.platform.VersionKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds versions with too many replicas on one node: at least two more than on another node that takes the same pods.
 * Pure. A version with replicas of several Revisions is left out: these are on several nodes.
 */
final class Crowding {
    private static final int MOST_SKEW = 1;

    private Crowding() {}

    /**
     * The node with the most replicas of a version.
     *
     * @param onNode number of replicas there
     * @param replicas number of replicas on all nodes
     */
    record Crowded(String node, int onNode, int replicas) {}

    /** What pods a node takes: those of its slot that tolerate its taints. */
    private record Kind(CapacitySlot slot, Set<String> taints) {
        static Kind of(Node node) {
            var known = ClusterNode.of(node);
            return new Kind(
                    new CapacitySlot(known.pool(), known.capacityType()),
                    Stream.ofNullable(node.getSpec())
                            .flatMap(spec -> Stream.ofNullable(spec.getTaints()))
                            .flatMap(List::stream)
                            .filter(taint -> !"PreferNoSchedule".equals(taint.getEffect()))
                            .map(Taint::getKey)
                            .collect(toSet()));
        }
    }

    /** Returns the names of nodes that take the same pods together. */
    static Collection<Set<String>> alike(Collection<Node> nodes) {
        return nodes.stream()
                .collect(groupingBy(Kind::of, mapping(node -> node.getMetadata().getName(), toSet())))
                .values();
    }

    /**
     * @param pods of all workloads
     * @param alike names of nodes that take replicas, in one set if they take the same
     */
    static Map<VersionKey, Crowded> of(Collection<RunningPod> pods, Collection<Set<String>> alike) {
        Map<VersionKey, Crowded> found = new HashMap<>();
        RunningPod.byVersion(pods).forEach((version, replicas) -> {
            if (replicas.stream().allMatch(RunningPod::ready) && revisions(replicas) == 1) {
                crowded(replicas, alike).ifPresent(crowded -> found.put(version, crowded));
            }
        });
        return found;
    }

    private static long revisions(List<RunningPod> replicas) {
        return replicas.stream().map(RunningPod::revision).distinct().count();
    }

    private static Optional<Crowded> crowded(List<RunningPod> replicas, Collection<Set<String>> alike) {
        Map<String, Long> counts = replicas.stream().collect(groupingBy(RunningPod::node, counting()));
        Entry<String, Long> most = counts.entrySet().stream()
                .max(Entry.<String, Long>comparingByValue().thenComparing(Entry.comparingByKey()))
                .orElseThrow();
        return alike.stream()
                .filter(nodes -> nodes.contains(most.getKey()))
                .flatMap(Set::stream)
                .map(node -> counts.getOrDefault(node, 0L))
                .min(Long::compare)
                .filter(least -> most.getValue() - least > MOST_SKEW)
                .map(_ -> new Crowded(most.getKey(), most.getValue().intValue(), replicas.size()));
    }
}
