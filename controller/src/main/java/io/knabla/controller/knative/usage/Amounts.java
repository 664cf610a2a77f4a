package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.capacity.GpuResource;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Converts Kubernetes quantities to resources that are paid for. Pure. */
final class Amounts {
    /** Digits of an amount after the point, as the ledger keeps them. */
    private static final int SCALE = 6;

    private static final Pattern PARTS = Pattern.compile("[1-9]\\d{0,3}");

    private Amounts() {}

    static Resources of(Map<String, Quantity> quantities) {
        return new Resources(
                amount(quantities, "cpu"),
                amount(quantities, "memory").longValue(),
                GpuResource.gpus(gpus(quantities)));
    }

    private static Map<String, BigDecimal> gpus(Map<String, Quantity> quantities) {
        Map<String, BigDecimal> gpus = new HashMap<>();
        quantities.keySet().stream()
                .filter(GpuResource::isGpu)
                .forEach(resource -> gpus.put(resource, amount(quantities, resource)));
        return gpus;
    }

    /** What the scheduler reserves for a pod: requests of all its containers, limits where there is no request. */
    static Resources requested(Pod pod) {
        Resources overhead = of(orEmpty(pod.getSpec().getOverhead()));
        List<Container> containers = pod.getSpec().getContainers();
        Resources whole = containers.stream().map(Amounts::requested).reduce(overhead, Amounts::sum);
        BigDecimal gpus = whole.gpus().divide(BigDecimal.valueOf(parts(pod)), SCALE, RoundingMode.HALF_UP);
        return new Resources(whole.vcpus(), whole.memoryBytes(), gpus);
    }

    /** How many shares the nodes of the pod make of a GPU, by its own requirement. */
    private static long parts(Pod pod) {
        return Stream.ofNullable(pod.getSpec().getAffinity())
                .flatMap(affinity -> Stream.ofNullable(affinity.getNodeAffinity()))
                .flatMap(nodes -> Stream.ofNullable(nodes.getRequiredDuringSchedulingIgnoredDuringExecution()))
                .flatMap(required -> required.getNodeSelectorTerms().stream())
                .flatMap(term -> term.getMatchExpressions().stream())
                .filter(expression -> expression.getKey().equals(ClusterNode.GPU_REPLICAS))
                .flatMap(expression -> expression.getValues().stream())
                // A pod is written by others, too.
                .filter(value -> PARTS.matcher(value).matches())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(1);
    }

    private static Resources requested(Container container) {
        if (container.getResources() == null) {
            return Resources.NONE;
        }
        Map<String, Quantity> quantities =
                new HashMap<>(orEmpty(container.getResources().getLimits()));
        quantities.putAll(orEmpty(container.getResources().getRequests()));
        return of(quantities);
    }

    private static Resources sum(Resources one, Resources other) {
        return new Resources(
                one.vcpus().add(other.vcpus()),
                one.memoryBytes() + other.memoryBytes(),
                one.gpus().add(other.gpus()));
    }

    private static BigDecimal amount(Map<String, Quantity> quantities, String resource) {
        return Optional.ofNullable(quantities.get(resource))
                .map(Quantity::getNumericalAmount)
                .orElse(BigDecimal.ZERO);
    }

    private static Map<String, Quantity> orEmpty(Map<String, Quantity> quantities) {
        return quantities == null ? Map.of() : quantities;
    }
}
