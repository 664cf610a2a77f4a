package io.knabla.controller.cost.ledger.sql;

import java.time.Duration;
import java.util.List;

/**
 * Bounds of a query and of its answer.
 *
 * @param megabytes of memory that DuckDB may use; its process may use {@link #PROCESS_MEGABYTES} more
 * @param seconds of wall time, for the tables as well; its process is killed {@link #GRACE} later
 * @param rows most of an answer
 * @param characters most of an answer, where a null counts as it is written
 */
public record SqlLimits(int megabytes, int seconds, int rows, long characters) {
    public static final SqlLimits DEFAULT = new SqlLimits(256, 30, 10_000, 8L << 20);

    /** Memory that DuckDB does not count, and Java's. */
    static final int PROCESS_MEGABYTES = 512;

    /** Most columns of an answer. */
    static final int COLUMNS = 1000;

    /** For the start of the process, and for the writing of the answer. */
    static final Duration GRACE = Duration.ofSeconds(10);

    /** As {@link #parse} reads them. */
    List<String> arguments() {
        return List.of(
                Integer.toString(megabytes),
                Integer.toString(seconds),
                Integer.toString(rows),
                Long.toString(characters));
    }

    static SqlLimits parse(List<String> arguments) {
        return new SqlLimits(
                Integer.parseInt(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Long.parseLong(arguments.get(3)));
    }

    Duration process() {
        return Duration.ofSeconds(seconds).plus(GRACE);
    }

    /** Bytes that a file of the process may have: an answer whose characters take three bytes each, and its quotes. */
    long fileBytes() {
        return 8 * characters + (1 << 20);
    }
}
