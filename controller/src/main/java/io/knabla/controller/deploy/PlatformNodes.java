package io.knabla.controller.deploy;

import io.knabla.controller.benchmark.MachineBenchmark;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.NodePrices;
import io.knabla.functions.compiler.pool.ComparedNodes;
import io.knabla.functions.compiler.pool.NodeKind;
import io.knabla.functions.compiler.pool.NodeKind.Price;
import io.knabla.functions.compiler.pool.NodeKind.PriceSource;
import io.knabla.functions.spec.FunctionSpec.Pool;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the kinds of nodes of this platform with price and speed: the platform's own price and a measured speed where
 * they are known, else those of the table of node kinds.
 */
@Singleton
final class PlatformNodes {
    /** vCPUs of the CPU node that is compared: two cores. */
    private static final int VCPUS = 4;

    private final ClusterView cluster;
    private final NodePrices prices;
    private final Supplier<Optional<GpuProfile>> device;

    @Inject
    PlatformNodes(ClusterView cluster, NodePrices prices, MachineBenchmark benchmark) {
        this(cluster, prices, benchmark::device);
    }

    /** @param device the GPU of this machine, if it was measured */
    PlatformNodes(ClusterView cluster, NodePrices prices, Supplier<Optional<GpuProfile>> device) {
        this.cluster = cluster;
        this.prices = prices;
        this.device = device;
    }

    ComparedNodes offers() {
        ComparedNodes table = ComparedNodes.TABLE;
        NodeKind cpu = types(Pool.cpu)
                .flatMap(node -> cpu(table.cpu(), node).stream())
                .min(Comparator.comparingDouble(NodeKind::dollarsPerHour))
                .orElse(table.cpu());
        List<NodeKind> gpus = types(Pool.gpu)
                .flatMap(node -> gpu(table.gpus(), node).stream())
                .toList();
        return new ComparedNodes(cpu, table.gpus()).withGpus(gpus);
    }

    /** One node of each instance type. */
    private Stream<Node> types(Pool pool) {
        Collection<Node> nodes = cluster.nodes().stream()
                .filter(node -> node.pool() == pool)
                .collect(Collectors.toMap(Node::instanceType, Function.identity(), (first, _) -> first))
                .values();
        return nodes.stream();
    }

    /** As many vCPUs of the node's type as the table's node has; empty without a price. */
    private Optional<NodeKind> cpu(NodeKind assumed, Node node) {
        return prices.onDemand(node)
                .filter(price -> price.vcpus() > 0)
                .map(price -> price.dollarsPerHour() * VCPUS / price.vcpus())
                .map(price -> priced(assumed, "%d vCPUs of %s".formatted(VCPUS, node.instanceType()), price));
    }

    /** Empty for a GPU of unknown speed. */
    private Optional<NodeKind> gpu(List<NodeKind> table, Node node) {
        Optional<NodeKind> measured = device.get().map(profile -> profile.kind(table));
        return measured.or(() -> sameFamily(table, node.instanceType()))
                .map(kind -> gpuPrice(node, measured.isPresent() || kind.name().equals(node.instanceType()))
                        .map(price -> priced(kind, node.instanceType(), price))
                        .orElse(kind));
    }

    private static Optional<NodeKind> sameFamily(List<NodeKind> table, String instanceType) {
        return table.stream()
                .filter(kind -> family(kind.name()).equals(family(instanceType)))
                .findFirst();
    }

    /**
     * Price of one GPU of the node.
     *
     * @param single whether it is known to have one, where its size is not
     */
    private Optional<Double> gpuPrice(Node node, boolean single) {
        return prices.onDemand(node)
                .filter(price -> price.gpus() > 0 || single)
                .map(price -> price.dollarsPerHour() / Math.max(1, price.gpus()));
    }

    private static NodeKind priced(NodeKind kind, String name, double price) {
        return kind.named(name).at(new Price(price, PriceSource.platform));
    }

    private static String family(String instanceType) {
        return instanceType.split("\\.", 2)[0];
    }
}
