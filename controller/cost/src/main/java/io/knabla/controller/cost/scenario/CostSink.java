package io.knabla.controller.cost.scenario;

import java.util.List;

/** Takes the amounts of a scenario as they are made, so that they need not be in memory all at once. */
public interface CostSink {
    /** Takes what a scenario takes for granted; comes before the amounts that rest on it. */
    void assume(Assumption assumption);

    /** @param lines all {@link NodeAllocation#lines} of the node's bill */
    void node(NodeAllocation node, List<CostLine> lines);

    /** Takes a line that is of no node's bill. */
    void line(CostLine line);
}
