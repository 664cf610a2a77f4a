package io.knabla.controller.knative.suite;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Two real spot nodes, before each test as they were added. A machine takes half a minute, so classes share them; the
 * last class that uses them takes them away. To be registered after the {@link TestCluster}.
 */
final class SpotNodes implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private final TestCluster cluster;
    private final boolean last;
    private List<SpotNode> nodes = List.of();

    private SpotNodes(TestCluster cluster, boolean last) {
        this.cluster = cluster;
        this.last = last;
    }

    /** For a class that is followed by others that use them. */
    static SpotNodes shared(TestCluster cluster) {
        return new SpotNodes(cluster, false);
    }

    /** For the last class that uses them. */
    static SpotNodes untilTheEndOfTheClass(TestCluster cluster) {
        return new SpotNodes(cluster, true);
    }

    /** @param cordoned fake nodes, whose pods would answer nothing */
    private record Machines(TestCluster cluster, List<SpotNode> nodes, List<String> cordoned) implements AutoCloseable {
        static Machines add() {
            var cluster = new TestCluster();
            List<String> fakes = cluster.client().nodes().list().getItems().stream()
                    .filter(node -> node.getMetadata().getAnnotations().containsKey(FakeNodes.FAKE))
                    .map(node -> node.getMetadata().getName())
                    .toList();
            fakes.forEach(node -> cluster.kubectl("cordon", node).good());
            return new Machines(
                    cluster, List.of(new SpotNode(cluster, "spot-1"), new SpotNode(cluster, "spot-2")), fakes);
        }

        @Override
        public void close() {
            nodes.forEach(SpotNode::close);
            cordoned.forEach(node -> cluster.kubectl("uncordon", node));
            cluster.client().close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        nodes = store(test)
                .computeIfAbsent(Machines.class, _ -> Machines.add(), Machines.class)
                .nodes();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        nodes.forEach(SpotNode::restore);
    }

    @Override
    public void afterAll(ExtensionContext test) {
        if (last) {
            store(test).remove(Machines.class, Machines.class).close();
        }
    }

    private static ExtensionContext.Store store(ExtensionContext test) {
        return test.getRoot().getStore(Namespace.GLOBAL);
    }

    SpotNode first() {
        return nodes.getFirst();
    }

    /** Both in turn. */
    SpotNode inTurn(int turn) {
        return nodes.get(turn % nodes.size());
    }

    Stream<SpotNode> all() {
        return nodes.stream();
    }

    Stream<SpotNode> among(Set<String> names) {
        return all().filter(node -> names.contains(node.name()));
    }

    boolean include(String name) {
        return among(Set.of(name)).findAny().isPresent();
    }
}
