package io.knabla.controller.cost.scenario;

/**
 * Something wrong with a row of usage, and what was assumed in its place.
 *
 * @param row id of the replica's or node's row
 * @param detail what was found
 */
public record Fault(Kind kind, String row, String detail) {
    /** Kinds of faults; each states what the sums contain. */
    public enum Kind {
        /** Two rows have one id. The first is counted, the others are left out. */
        DUPLICATE_ROW,
        /** A replica names a node without a row. It has no part in any node's bill. */
        UNKNOWN_NODE,
        /** A replica ran before or after its node. It is cut to the node's time, and left out if nothing remains. */
        OUTSIDE_OF_NODE,
        /** Replicas held more of a resource than their node has. Their shares are scaled down to the node. */
        BEYOND_NODE_SIZE,
        /** A node has no resources. All of its cost is idle. */
        NODE_WITHOUT_SIZE,
        /** A start phase has a negative duration. It counts as zero. */
        NEGATIVE_DURATION,
        /** A counter of work is negative. All of the replica's work is left out. */
        NEGATIVE_WORK
    }
}
