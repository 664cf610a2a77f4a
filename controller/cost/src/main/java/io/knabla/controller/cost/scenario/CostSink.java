package io.knabla.controller.cost.scenario;

/** Takes the amounts of a scenario as they are made, so that they need not be in memory all at once. */
public interface CostSink {
    /** Takes what a scenario takes for granted; comes before the amounts that rest on it. */
    void assume(Assumption assumption);

    /** Takes a node's bill, with {@link NodeAllocation#lines all its lines}. */
    void node(NodeAllocation node);

    /** Takes a line that is of no node's bill. */
    void line(CostLine line);
}
