package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.knabla.controller.knative.capacity.GpuResource;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Compares a pod's request for a resource with the largest allocatable amount on a node. */
final class ResourceShortage {
    private ResourceShortage() {}

    static String describe(String resource, PodSpec pod, List<Node> nodes) {
        Optional<Quantity> most = nodes.stream()
                .flatMap(node -> allocatable(node, resource))
                .max(Comparator.comparing(ResourceShortage::amount));
        BigDecimal asked = pod.getContainers().stream()
                .flatMap(container -> request(container, resource))
                .map(ResourceShortage::amount)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        if (most.isEmpty()) {
            return "no node that it may use offers %s, and it asks for %s".formatted(resource, asked.toPlainString());
        }
        return "it asks for %s, of which %s".formatted(text(resource, asked), rest(resource, asked, most.get()));
    }

    static String cure(String resource) {
        return switch (resource) {
            case "memory" -> "lower spec.resources.memory";
            case "cpu" -> "lower spec.resources.cpu";
            case "pods" -> "raise the nodes' limit of pods";
            default ->
                GpuResource.isGpu(resource)
                        ? "add a GPU node with its device plugin (doctor names what nodes offer; where GPUs are offered through DRA only, set extendedResourceName: %s in their DeviceClass, since Knative passes no resource claims on), or set spec.resources.gpu to 0 and spec.placement.pool to cpu"
                                .formatted(resource)
                        : "add a node that offers " + resource;
        };
    }

    private static String rest(String resource, BigDecimal asked, Quantity most) {
        return amount(most).compareTo(asked) < 0
                ? "the largest node that it may use has " + text(resource, amount(most))
                : "no node that it may use has enough free";
    }

    private static String text(String resource, BigDecimal amount) {
        return switch (resource) {
            case "memory", "ephemeral-storage" -> "%d MiB of %s".formatted(amount.longValue() >> 20, resource);
            default -> amount.stripTrailingZeros().toPlainString() + " " + resource;
        };
    }

    private static Stream<Quantity> allocatable(Node node, String resource) {
        return Optional.ofNullable(node.getStatus())
                .map(status -> status.getAllocatable())
                .map(all -> all.get(resource))
                .stream();
    }

    /** A limit without a request counts as the request. */
    private static Stream<Quantity> request(Container container, String resource) {
        return Optional.ofNullable(container.getResources())
                .map(asked -> Stream.of(requests(asked), limits(asked)))
                .orElseGet(Stream::empty)
                .map(all -> all.get(resource))
                .filter(Objects::nonNull)
                .limit(1);
    }

    private static Map<String, Quantity> requests(ResourceRequirements asked) {
        return Objects.requireNonNullElse(asked.getRequests(), Map.of());
    }

    private static Map<String, Quantity> limits(ResourceRequirements asked) {
        return Objects.requireNonNullElse(asked.getLimits(), Map.of());
    }

    private static BigDecimal amount(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity);
    }
}
