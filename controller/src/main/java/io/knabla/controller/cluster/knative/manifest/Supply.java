package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.cluster.Node.CapacityType;
import io.knabla.controller.cluster.knative.Labels;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which kinds of capacity a cluster has: nodes that are there, and what Karpenter may bring. */
public record Supply(Set<Slot> slots) {
    static final String GPU = "nvidia.com/gpu";
    static final String KARPENTER_CAPACITY = "karpenter.sh/capacity-type";
    static final String EKS_CAPACITY = "eks.amazonaws.com/capacityType";

    public Supply {
        slots = Set.copyOf(slots);
    }

    /**
     * @param nodePools Karpenter's, empty where it is not installed
     */
    public static Supply of(
            Collection<Node> nodes, Collection<GenericKubernetesResource> nodePools) {
        Set<Slot> slots = new HashSet<>();
        nodes.stream().filter(Supply::isUsable).forEach(node -> slots.add(slot(node)));
        nodePools.forEach(pool -> slots.addAll(slots(pool)));
        return new Supply(slots);
    }

    public boolean has(Slot slot) {
        return slots.contains(slot);
    }

    /** What a node is; one that nobody labelled is on demand. */
    public static Slot slot(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        boolean spot =
                "spot".equals(labels.get(KARPENTER_CAPACITY))
                        || "SPOT".equals(labels.get(EKS_CAPACITY));
        boolean gpu =
                Optional.ofNullable(node.getStatus())
                        .map(status -> status.getAllocatable())
                        .map(allocatable -> allocatable.get(GPU))
                        .map(Supply::isPositive)
                        .orElse(false);
        return new Slot(
                gpu || isGpu(labels) ? Pool.gpu : Pool.cpu,
                spot ? CapacityType.Spot : CapacityType.OnDemand);
    }

    private static boolean isUsable(Node node) {
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        boolean ready =
                node.getStatus() != null
                        && node.getStatus().getConditions().stream()
                                .anyMatch(
                                        condition ->
                                                condition.getType().equals("Ready")
                                                        && condition.getStatus().equals("True"));
        return ready && !cordoned && node.getMetadata().getDeletionTimestamp() == null;
    }

    private static boolean isPositive(Quantity quantity) {
        return quantity.getNumericalAmount().compareTo(BigDecimal.ZERO) > 0;
    }

    private static boolean isGpu(Map<String, String> labels) {
        return Pool.gpu.name().equals(labels.get(Labels.POOL));
    }

    private static Set<Slot> slots(GenericKubernetesResource nodePool) {
        Map<?, ?> template =
                map(map(nodePool.getAdditionalProperties().get("spec")).get("template"));
        Map<?, ?> spec = map(template.get("spec"));
        Object pool = map(map(template.get("metadata")).get("labels")).get(Labels.POOL);
        boolean gpu =
                Pool.gpu.name().equals(pool)
                        || list(spec.get("taints")).stream()
                                .anyMatch(taint -> GPU.equals(map(taint).get("key")));
        Set<Slot> slots = new HashSet<>();
        for (CapacityType type : capacities(list(spec.get("requirements")))) {
            slots.add(new Slot(gpu ? Pool.gpu : Pool.cpu, type));
        }
        return slots;
    }

    /** Without a word on it Karpenter brings nodes on demand. */
    private static Set<CapacityType> capacities(List<?> requirements) {
        Set<CapacityType> types = EnumSet.noneOf(CapacityType.class);
        for (Object requirement : requirements) {
            if (KARPENTER_CAPACITY.equals(map(requirement).get("key"))) {
                boolean listed = "In".equals(map(requirement).get("operator"));
                List<?> values = list(map(requirement).get("values"));
                if (values.contains("spot") == listed) {
                    types.add(CapacityType.Spot);
                }
                if (values.contains("on-demand") == listed) {
                    types.add(CapacityType.OnDemand);
                }
                return types;
            }
        }
        types.add(CapacityType.OnDemand);
        return types;
    }

    private static Map<?, ?> map(Object tree) {
        return tree instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(Object tree) {
        return tree instanceof List<?> list ? list : List.of();
    }
}
