package io.knabla.storage.history;

import java.util.List;

/** Result of a check: the history is linearizable or not. */
public sealed interface Verdict {
    /**
     * @param order a sequence that explains every result and respects real time; contains calls of unknown outcome only
     *     if they must have taken effect
     */
    record Linearizable(List<Operation> order) implements Verdict {}

    /**
     * @param explained number of operations of known outcome that the best attempt ordered
     * @param value value of the register at that point
     * @param stuck the operations of which one must come next, but none is possible
     */
    record Impossible(int explained, String value, List<Operation> stuck) implements Verdict {}
}
