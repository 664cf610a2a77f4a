package io.knabla.controller.knative.manifest;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.machine.Architecture;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Builds the node affinity, tolerations and zone spread of a slot's pods from the labels of Karpenter, EKS and Knabla's
 * node pools.
 */
final class SchedulingConstraints {
    static final String SPOT_TAINT = Labels.GROUP + "/spot";
    private static final String ZONE = "topology.kubernetes.io/zone";

    private SchedulingConstraints() {}

    /**
     * Features that a slot's pods require; the others are omitted if Knative disables them.
     *
     * @param parts shares that a node makes of each GPU; 1 for whole GPUs
     */
    static Set<Feature> requiredFeatures(CapacitySlot slot, AvailableCapacity supply, int parts) {
        Set<Feature> needs = new TreeSet<>(Set.of(Feature.EmptyDir));
        boolean gpu = slot.pool() == Pool.gpu;
        // Affinity is needed only if the cluster also has nodes of other slots.
        boolean choice = supply.slots().stream().anyMatch(other -> !other.equals(slot));
        if (slot.isSpot() || choice || gpu && parts > 1) {
            needs.add(Feature.Affinity);
        }
        if (slot.isSpot() || gpu) {
            needs.add(Feature.Tolerations);
        }
        return needs;
    }

    /**
     * @param architecture of the replicas' image
     * @param parts shares that a node makes of each GPU; 1 for whole GPUs
     */
    static Affinity affinity(CapacitySlot slot, Architecture architecture, int parts) {
        List<NodeSelectorRequirement> always = always(slot, architecture, parts);
        List<NodeSelectorTerm> terms = slot.isSpot()
                ? List.of(
                        term(always, requirement(ClusterNode.KARPENTER_CAPACITY, "In", "spot")),
                        term(always, requirement(ClusterNode.EKS_CAPACITY, "In", "SPOT")))
                : List.of(term(
                        always,
                        requirement(ClusterNode.KARPENTER_CAPACITY, "NotIn", "spot"),
                        requirement(ClusterNode.EKS_CAPACITY, "NotIn", "SPOT")));
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(terms)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .withPreferredDuringSchedulingIgnoredDuringExecution(preferences(slot))
                .endNodeAffinity()
                .build();
    }

    /** Capacity that is reserved is paid for, used or not. */
    private static List<PreferredSchedulingTerm> preferences(CapacitySlot slot) {
        return slot.isSpot()
                ? List.of()
                : List.of(new PreferredSchedulingTerm(
                        term(List.of(), requirement(ClusterNode.KARPENTER_CAPACITY, "In", ClusterNode.RESERVED)), 100));
    }

    private static List<NodeSelectorRequirement> always(CapacitySlot slot, Architecture architecture, int parts) {
        List<NodeSelectorRequirement> always = new ArrayList<>();
        // For the GPU pool the resource nvidia.com/gpu selects the node; not every GPU node has the label.
        if (slot.pool() != Pool.gpu) {
            always.add(requirement(Labels.POOL, "NotIn", Pool.gpu.name()));
        } else if (parts > 1) {
            always.add(requirement(ClusterNode.GPU_REPLICAS, "In", Integer.toString(parts)));
        } else {
            // A share has the same resource, and is no whole GPU.
            always.add(new NodeSelectorRequirement(ClusterNode.GPU_SHARING, "NotIn", ClusterNode.GPU_SHARED));
        }
        new TreeMap<>(architecture.labels()).forEach((key, value) -> always.add(requirement(key, "In", value)));
        return always;
    }

    static List<Toleration> tolerations(CapacitySlot slot) {
        List<Toleration> tolerations = new ArrayList<>();
        if (slot.isSpot()) {
            Stream.of(ClusterNode.KARPENTER_CAPACITY, ClusterNode.EKS_CAPACITY, SPOT_TAINT)
                    .forEach(key -> tolerations.add(tolerate(key)));
        }
        if (slot.pool() == Pool.gpu) {
            tolerations.add(tolerate(ClusterNode.GPU));
        }
        return tolerations;
    }

    /** @param labels of the pods to spread */
    static TopologySpreadConstraint overZones(Map<String, String> labels) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(ZONE)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(labels)
                .endLabelSelector()
                .build();
    }

    private static Toleration tolerate(String key) {
        return new Toleration("NoSchedule", key, "Exists", null, null);
    }

    private static NodeSelectorTerm term(List<NodeSelectorRequirement> always, NodeSelectorRequirement... capacity) {
        return new NodeSelectorTerm(
                Stream.concat(Stream.of(capacity), always.stream()).toList(), List.of());
    }

    private static NodeSelectorRequirement requirement(String key, String operator, String value) {
        return new NodeSelectorRequirement(key, operator, List.of(value));
    }
}
