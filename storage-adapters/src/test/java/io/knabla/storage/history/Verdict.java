package io.knabla.storage.history;

import java.util.List;

/** Whether a history is linearizable. */
public sealed interface Verdict {
    /**
     * @param order one sequence that explains every answer and keeps to real time; acts of unknown outcome stand in it
     *     where they must have happened
     */
    record Linearizable(List<Operation> order) implements Verdict {}

    /**
     * @param explained how many operations of known outcome the best attempt could order
     * @param value what the register holds then
     * @param stuck the operations of which one must come next, and none can
     */
    record Impossible(int explained, String value, List<Operation> stuck) implements Verdict {}
}
