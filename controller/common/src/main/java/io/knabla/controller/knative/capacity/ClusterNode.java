package io.knabla.controller.knative.capacity;

import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts a Kubernetes node: reads its pool, capacity type, instance type and zone from its labels. Pure. */
public final class ClusterNode {
    public static final String KARPENTER_CAPACITY = "karpenter.sh/capacity-type";
    /** Karpenter's capacity type of nodes in a capacity reservation. */
    public static final String RESERVED = "reserved";

    public static final String EKS_CAPACITY = "eks.amazonaws.com/capacityType";
    public static final String GPU = GpuResource.GPU;

    /** Label of NVIDIA's GPU feature discovery: how many shares the device plugin makes of a GPU. */
    public static final String GPU_REPLICAS = "nvidia.com/gpu.replicas";

    /** Label of NVIDIA's GPU feature discovery: how the device plugin shares a GPU, if it does. */
    public static final String GPU_SHARING = "nvidia.com/gpu.sharing-strategy";

    /** Values of {@link #GPU_SHARING} of nodes whose GPUs are shared. */
    public static final List<String> GPU_SHARED = List.of("mps", "time-slicing");

    /** Label of the zone of a node of AWS, in the names that its prices have. */
    public static final String ZONE_ID = "topology.k8s.aws/zone-id";

    private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String UNKNOWN = "unknown";

    private ClusterNode() {}

    public static Node of(io.fabric8.kubernetes.api.model.Node node) {
        Map<String, String> labels =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        String zone = labels.getOrDefault(ZONE, UNKNOWN);
        return new Node(
                node.getMetadata().getName(),
                pool(node, labels),
                capacity(labels),
                labels.getOrDefault(INSTANCE_TYPE, UNKNOWN),
                zone,
                labels.getOrDefault(ZONE_ID, zone),
                (int) allocatable(node, "pods"),
                Purchase.Hourly);
    }

    /** Whether condition Ready is True, as the kubelet or the node controller set it. */
    public static boolean ready(io.fabric8.kubernetes.api.model.Node node) {
        return Stream.ofNullable(node.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> "Ready".equals(condition.getType()))
                .allMatch(condition -> "True".equals(condition.getStatus()));
    }

    /** The label decides; without one, a node with GPUs is in the gpu pool. */
    private static Pool pool(io.fabric8.kubernetes.api.model.Node node, Map<String, String> labels) {
        return switch (labels.getOrDefault(Labels.POOL, "")) {
            case "gpu" -> Pool.gpu;
            case "cpu" -> Pool.cpu;
            default -> offersGpus(node) ? Pool.gpu : Pool.cpu;
        };
    }

    private static boolean offersGpus(io.fabric8.kubernetes.api.model.Node node) {
        return Optional.ofNullable(node.getStatus())
                .map(status -> status.getAllocatable())
                .orElse(Map.of())
                .keySet()
                .stream()
                .anyMatch(resource -> GpuResource.isGpu(resource) && allocatable(node, resource) > 0);
    }

    private static CapacityType capacity(Map<String, String> labels) {
        return "spot".equals(labels.get(KARPENTER_CAPACITY)) || "SPOT".equals(labels.get(EKS_CAPACITY))
                ? CapacityType.Spot
                : CapacityType.OnDemand;
    }

    private static long allocatable(io.fabric8.kubernetes.api.model.Node node, String resource) {
        return Optional.ofNullable(node.getStatus())
                .map(status -> status.getAllocatable())
                .map(resources -> resources.get(resource))
                .map(Quantity::getNumericalAmount)
                .map(Number::longValue)
                .orElse(0L);
    }
}
