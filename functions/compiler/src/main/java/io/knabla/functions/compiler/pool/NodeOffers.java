package io.knabla.functions.compiler.pool;

import java.util.List;

/**
 * The nodes that are compared.
 *
 * @param cpu the node that GPU nodes are compared with
 * @param gpus of which the one that pays first is chosen
 */
public record NodeOffers(NodeKind cpu, List<NodeKind> gpus) {
    /** Those of the table, where nothing is known of a platform. */
    public static final NodeOffers TABLE = new NodeOffers(NodeKinds.cpu(), NodeKinds.gpus());

    public NodeOffers {
        gpus = List.copyOf(gpus);
    }

    /** The same CPU node, and these GPU nodes; the table's if there are none. */
    public NodeOffers withGpus(List<NodeKind> some) {
        return some.isEmpty() ? this : new NodeOffers(cpu, some);
    }
}
