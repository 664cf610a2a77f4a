package io.knabla.controller.knative.capacity;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Capacity slots that a cluster offers: those of its ready nodes and of Karpenter's NodePools.
 *
 * @param simulated slots that only KWOK's fake nodes have: pods on them are reported as ready but answer no request
 * @param spotRoom whether the spot slots have room
 */
public record AvailableCapacity(Set<CapacitySlot> slots, Set<CapacitySlot> simulated, SpotRoom spotRoom) {
    private static final String KWOK = "kwok.x-k8s.io/node";

    public AvailableCapacity {
        slots = Set.copyOf(slots);
        simulated = Set.copyOf(simulated);
    }

    public AvailableCapacity(Set<CapacitySlot> slots, Set<CapacitySlot> simulated) {
        this(slots, simulated, SpotRoom.YES);
    }

    public AvailableCapacity with(SpotRoom room) {
        return new AvailableCapacity(slots, simulated, room);
    }

    /** @param nodePools of Karpenter; empty if it is not installed */
    public static AvailableCapacity of(Collection<Node> nodes, Collection<GenericKubernetesResource> nodePools) {
        Set<CapacitySlot> real = new HashSet<>();
        Set<CapacitySlot> simulated = new HashSet<>();
        for (Node node : nodes.stream().filter(AvailableCapacity::isUsable).toList()) {
            var known = ClusterNode.of(node);
            CapacitySlot slot = new CapacitySlot(known.pool(), known.capacityType());
            (isSimulated(node) ? simulated : real).add(slot);
        }
        nodePools.forEach(pool -> real.addAll(slots(pool)));
        simulated.removeAll(real);
        Set<CapacitySlot> all = new HashSet<>(real);
        all.addAll(simulated);
        return new AvailableCapacity(all, simulated);
    }

    public boolean has(CapacitySlot slot) {
        return slots.contains(slot);
    }

    /** Whether this node, if it is a real one, takes replicas. */
    public static boolean isOpen(Node node) {
        return isUsable(node) && !isSimulated(node);
    }

    private static boolean isSimulated(Node node) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(KWOK);
    }

    private static boolean isUsable(Node node) {
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        boolean ready = node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
        return ready && !cordoned && node.getMetadata().getDeletionTimestamp() == null;
    }

    private static Set<CapacitySlot> slots(GenericKubernetesResource nodePool) {
        Map<?, ?> template =
                map(map(nodePool.getAdditionalProperties().get("spec")).get("template"));
        Map<?, ?> spec = map(template.get("spec"));
        Object pool = map(map(template.get("metadata")).get("labels")).get(Labels.POOL);
        boolean gpu = Pool.gpu.name().equals(pool)
                || list(spec.get("taints")).stream()
                        .anyMatch(taint -> ClusterNode.GPU.equals(map(taint).get("key")));
        Set<CapacitySlot> slots = new HashSet<>();
        for (CapacityType type : capacities(list(spec.get("requirements")))) {
            slots.add(new CapacitySlot(gpu ? Pool.gpu : Pool.cpu, type));
        }
        return slots;
    }

    /** Without a requirement on the capacity type Karpenter adds on-demand nodes. */
    private static Set<CapacityType> capacities(List<?> requirements) {
        Set<CapacityType> types = EnumSet.noneOf(CapacityType.class);
        for (Object requirement : requirements) {
            if (ClusterNode.KARPENTER_CAPACITY.equals(map(requirement).get("key"))) {
                boolean listed = "In".equals(map(requirement).get("operator"));
                List<?> values = list(map(requirement).get("values"));
                if (values.contains("spot") == listed) {
                    types.add(CapacityType.Spot);
                }
                // Reserved nodes are on-demand capacity that is paid for already.
                if (values.contains("on-demand") == listed || listed && values.contains(ClusterNode.RESERVED)) {
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
