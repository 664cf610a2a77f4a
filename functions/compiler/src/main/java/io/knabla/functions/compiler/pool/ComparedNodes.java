package io.knabla.functions.compiler.pool;

import java.util.List;

/**
 * Holds the CPU node and the GPU nodes whose costs per call are compared.
 *
 * @param cpu the node that GPU nodes are compared with
 * @param gpus of which the one that pays first is chosen
 */
public record ComparedNodes(NodeKind cpu, List<NodeKind> gpus) {
    /** Those of the table, where nothing is known of a platform. */
    public static final ComparedNodes TABLE = new ComparedNodes(NodeKinds.cpu(), NodeKinds.gpus());

    public ComparedNodes {
        gpus = List.copyOf(gpus);
    }

    /** The same CPU node, and these GPU nodes; the table's if there are none. */
    public ComparedNodes withGpus(List<NodeKind> some) {
        return some.isEmpty() ? this : new ComparedNodes(cpu, some);
    }
}
