package io.knabla.controller.cost.ledger.sql;

import java.util.List;

/** The answer to a query, or why it was refused. */
public sealed interface SqlOutcome {
    /**
     * @param rows numbers, booleans, texts and nulls
     * @param cut whether there were more rows than the limits allow
     */
    record Answer(List<String> columns, List<List<Object>> rows, boolean cut) implements SqlOutcome {}

    /** @param sentence why, for the one who asked */
    record Refused(String sentence) implements SqlOutcome {}

    static Refused late(SqlLimits limits) {
        return new Refused("the query took more than %d s; ask for less".formatted(limits.seconds()));
    }

    /** @param status exit code of the query's process, which did not end by itself */
    static Refused ended(int status, SqlLimits limits) {
        return new Refused(
                "the query ended its process (exit code %d): it needs more than %d MB, or is nested too deeply; ask for less"
                        .formatted(status, limits.megabytes()));
    }
}
