package io.knabla.controller.cost.ledger.parquet;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the SQL that sums the work of replicas by function, version or time. Counters are summed by name in a reading
 * of their own: one with the numbers would hold a map for each row.
 *
 * @param keys columns by which the sums are told apart
 * @param sets of keys, each of which gives sums of all rows; a key in none of them is null
 */
record WorkSums(List<String> keys, List<List<String>> sets) {
    static WorkSums by(String... keys) {
        return new WorkSums(List.of(keys), List.of(List.of(keys)));
    }

    /**
     * Returns a query that gives the keys and the aggregates.
     *
     * @param rows expression of a table with the keys and the columns of work
     */
    String numbers(String rows, String aggregates) {
        return "SELECT %s, %s FROM %s GROUP BY %s".formatted(selected(), aggregates, rows, sets(List.of()));
    }

    /** Returns a query that gives the keys and {@code counters}, where there are any. */
    String counters(String rows) {
        return """
                SELECT %1$s, map(list(counter ORDER BY counter), list(n ORDER BY counter)) AS counters FROM (
                    SELECT %2$s, entry.key AS counter, least(sum(entry.value), %3$d)::BIGINT AS n
                    FROM (SELECT %1$s, unnest(map_entries(counters)) AS entry FROM %4$s WHERE counters IS NOT NULL)
                    GROUP BY %5$s
                ) GROUP BY %1$s
                """.formatted(String.join(", ", keys), selected(), Long.MAX_VALUE, rows, sets(List.of("counter")));
    }

    /**
     * Returns a query that adds the column {@code counters}, null if there are none.
     *
     * @param numbers expression of a table with the keys
     */
    String withCounters(String numbers, String rows) {
        String same = keys.stream()
                .map("numbers.%1$s IS NOT DISTINCT FROM counted.%1$s"::formatted)
                .collect(Collectors.joining(" AND "));
        return "SELECT numbers.*, counted.counters FROM %s AS numbers LEFT JOIN (%s) AS counted ON %s"
                .formatted(numbers, counters(rows), same);
    }

    private String selected() {
        return keys.stream()
                .map(key -> sets.stream().anyMatch(set -> set.contains(key)) ? key : "NULL AS " + key)
                .collect(Collectors.joining(", "));
    }

    private String sets(List<String> more) {
        return sets.stream()
                .map(set -> Stream.concat(set.stream(), more.stream()).collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", ", "GROUPING SETS (", ")"));
    }
}
