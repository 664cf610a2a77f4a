package io.knabla.controller.local;

import io.knabla.controller.config.Settings.NodeSettings;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.ArrayList;
import java.util.List;

/** Virtual nodes of this machine: from the settings, or by default two zones of each capacity type. */
final class LocalNodes {
    private static final int LEAST_SLOTS = 4;

    private LocalNodes() {}

    /** Reports all faults at once. */
    static List<Node> of(List<NodeSettings> wanted, int cores) {
        if (wanted.isEmpty()) {
            return standard(cores);
        }
        List<String> faults = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            NodeSettings node = wanted.get(i);
            String where = "nodes[%d]".formatted(i);
            if (node.name().isBlank()) {
                faults.add(where + ".name is empty; give each node a name");
            }
            if (nodes.stream().anyMatch(known -> known.name().equals(node.name()))) {
                faults.add("%s.name '%s' is there twice".formatted(where, node.name()));
            }
            if (node.slots() < 1) {
                faults.add("%s.slots must be at least 1, was %d".formatted(where, node.slots()));
            }
            if (node.pool() == Pool.auto) {
                faults.add(where + ".pool must be cpu or gpu; auto is for functions");
            }
            if (node.capacity() == CapacityType.Spot && node.purchase() != Purchase.Hourly) {
                faults.add("%s.purchase is %s, but spot capacity is paid Hourly; leave one of the two out"
                        .formatted(where, node.purchase()));
            }
            nodes.add(node(node));
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "config.yaml: " + String.join("; ", faults) + ". Correct them and start again.");
        }
        return List.copyOf(nodes);
    }

    private static Node node(NodeSettings node) {
        return new Node(
                node.name(),
                node.pool(),
                node.capacity(),
                node.instanceType(),
                node.zone(),
                node.slots(),
                node.purchase());
    }

    /** Several slots per core, because replicas mostly wait. */
    private static List<Node> standard(int cores) {
        int slots = Math.max(LEAST_SLOTS, 4 * cores);
        List<Node> nodes = new ArrayList<>();
        for (CapacityType type : CapacityType.values()) {
            for (String zone : List.of("local-a", "local-b")) {
                String name = (type == CapacityType.Spot ? "spot-" : "on-demand-") + zone.substring(6);
                nodes.add(new Node(name, Pool.cpu, type, "local", zone, slots));
            }
        }
        return List.copyOf(nodes);
    }
}
