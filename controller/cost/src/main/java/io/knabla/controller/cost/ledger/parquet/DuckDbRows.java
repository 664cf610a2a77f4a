package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Reads rows by typed columns. What many rows have in common, such as their function and size, is read once and shared
 * by them: a text or a decimal takes more time to read than all numbers of its row.
 *
 * <p>Every query first fills a table, since a failure within a streamed result ends it as if it were complete
 * (duckdb_jdbc 1.4.2).
 */
final class DuckDbRows {
    private static final List<String> PHASES = List.of("place", "fetch", "boot", "load");
    private static final long QUARTER_MICROS = 900_000_000;

    /** The quarter of an hour is the last. */
    private static final List<String> KEYS = List.of("namespace", "\"function\"", "version", "quarter");

    private final Statement statement;
    private final Map<RecordKind, String> tables;
    private final String overlaps;
    private final String starts;
    private final List<String> unreadable = new ArrayList<>();

    /** @param tables expressions of all rows */
    DuckDbRows(Statement statement, Map<RecordKind, String> tables, Instant from, Instant until) {
        this.statement = statement;
        this.tables = tables;
        String first = time(from);
        String end = time(until);
        this.overlaps = "(start_time < %2$s AND (end_time IS NULL OR end_time > %1$s OR start_time >= %1$s)"
                        .formatted(first, end)
                + " OR (start_time = %1$s AND end_time = %1$s))".formatted(end);
        this.starts = "start_time >= %s AND start_time < %s".formatted(first, end);
    }

    /** Times have microseconds; one that is cut is before a start and behind an end that has more. */
    private static String time(Instant time) {
        return "make_timestamp(%d::BIGINT)".formatted(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    /**
     * Reads the intervals.
     *
     * @param sums reads requests meanwhile
     */
    ParquetUsage read(DuckDbRows sums, Future<List<RequestSum>> requests)
            throws SQLException, ExecutionException, InterruptedException {
        List<NodeInterval> nodes = nodes();
        List<ReplicaInterval> replicas = replicas();
        List<RequestSum> summed = requests.get();
        unreadable.addAll(sums.unreadable);
        return new ParquetUsage(nodes, replicas, summed, unreadable);
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @param sql must give the row's id first */
    private <T> List<T> rows(String sql, Reader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                try {
                    rows.add(reader.read(result));
                } catch (IllegalArgumentException bad) {
                    unreadable.add("%s: %s".formatted(result.getString(1), bad.getMessage()));
                }
            }
        }
        return rows;
    }

    /**
     * Fills {@code rows} with the rows of a kind and {@code shared} with what they have in common, under the number
     * {@code k}.
     *
     * @param common columns that many rows share
     */
    private void fill(RecordKind kind, String own, String common) throws SQLException {
        statement.execute("CREATE OR REPLACE TEMP TABLE rows AS SELECT %s, %s FROM %s WHERE %s"
                .formatted(own, common, tables.get(kind), overlaps));
        statement.execute("CREATE OR REPLACE TEMP TABLE shared AS SELECT row_number() OVER () AS k, *"
                + " FROM (SELECT DISTINCT COLUMNS('^c[0-9]+$') FROM rows)");
    }

    private static String join(int columns) {
        StringBuilder condition = new StringBuilder("true");
        for (int i = 1; i <= columns; i++) {
            condition.append(" AND rows.c%1$d IS NOT DISTINCT FROM shared.c%1$d".formatted(i));
        }
        return condition.toString();
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1000L);
    }

    private static Interval interval(ResultSet row, int column) throws SQLException {
        long start = row.getLong(column);
        if (row.wasNull()) {
            throw new IllegalArgumentException("it has no start");
        }
        long end = row.getLong(column + 1);
        return new Interval(instant(start), row.wasNull() ? Optional.empty() : Optional.of(instant(end)));
    }

    private static String text(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? "" : text;
    }

    private static <E extends Enum<E>> E constant(ResultSet row, int column, E missing) throws SQLException {
        String name = row.getString(column);
        return name == null ? missing : Enum.valueOf(missing.getDeclaringClass(), name);
    }

    /** @param column millionths of a CPU, bytes, GPUs */
    private static Resources resources(ResultSet row, int column) throws SQLException {
        BigDecimal vcpus = BigDecimal.valueOf(row.getLong(column), 6).stripTrailingZeros();
        return new Resources(
                vcpus.scale() < 0 ? vcpus.setScale(0) : vcpus,
                row.getLong(column + 1),
                BigDecimal.valueOf(row.getLong(column + 2), 6));
    }

    private static Work work(ResultSet row, int column) throws SQLException {
        return new Work(
                row.getLong(column),
                row.getLong(column + 1),
                row.getLong(column + 2),
                row.getLong(column + 3),
                row.getLong(column + 4),
                counters(row.getObject(column + 5)));
    }

    private static Counters counters(Object column) {
        if (column == null) {
            return Counters.NONE;
        }
        Map<String, Long> counts = new HashMap<>();
        ((Map<?, ?>) column).forEach((name, count) -> counts.put((String) name, (Long) count));
        return Counters.of(counts);
    }

    private record SharedNode(
            String pool,
            CapacityType capacity,
            String type,
            String region,
            String zoneId,
            Resources size,
            Optional<NodeEnd> end) {}

    private List<NodeInterval> nodes() throws SQLException {
        if (!tables.containsKey(RecordKind.NODE)) {
            return List.of();
        }
        fill(
                RecordKind.NODE,
                "id, name, epoch_us(start_time) AS s, epoch_us(end_time) AS e",
                "pool AS c1, capacity AS c2, instance_type AS c3, region AS c4, zone_id AS c5,"
                        + " (vcpus * 1000000)::BIGINT AS c6, memory_bytes AS c7, (gpus * 1000000)::BIGINT AS c8, ended AS c9");
        Map<Long, SharedNode> shared = new HashMap<>();
        rows("SELECT * FROM shared", row -> shared.put(row.getLong(1), sharedNode(row)));
        return rows(
                "SELECT id, name, s, e, k FROM rows JOIN shared ON " + join(9) + " ORDER BY s, id",
                row -> node(row, shared));
    }

    private static SharedNode sharedNode(ResultSet row) throws SQLException {
        Optional<NodeEnd> end = Optional.ofNullable(row.getString(10)).map(NodeEnd::valueOf);
        return new SharedNode(
                text(row, 2),
                constant(row, 3, CapacityType.ON_DEMAND),
                text(row, 4),
                text(row, 5),
                text(row, 6),
                resources(row, 7),
                end);
    }

    private static NodeInterval node(ResultSet row, Map<Long, SharedNode> shared) throws SQLException {
        SharedNode common = known(shared, row.getLong(5));
        Interval time = interval(row, 3);
        return new NodeInterval(
                text(row, 1),
                text(row, 2),
                common.pool(),
                common.capacity(),
                common.type(),
                common.region(),
                common.zoneId(),
                common.size(),
                time,
                common.end().orElse(time.end().isPresent() ? NodeEnd.RELEASED : NodeEnd.RUNNING));
    }

    private static <T> T known(Map<Long, T> shared, long number) {
        T common = shared.get(number);
        if (common == null) {
            throw new IllegalArgumentException("a value that it shares with others is none");
        }
        return common;
    }

    private record SharedReplica(
            String namespace,
            String function,
            int version,
            Resources requested,
            StartKind startKind,
            Optional<ReplicaEnd> end) {}

    private List<ReplicaInterval> replicas() throws SQLException {
        if (!tables.containsKey(RecordKind.REPLICA)) {
            return List.of();
        }
        String phases =
                PHASES.stream().map("start_phases['%1$s'] AS %1$s, "::formatted).collect(Collectors.joining());
        fill(
                RecordKind.REPLICA,
                "id, node, epoch_us(start_time) AS s, epoch_us(end_time) AS e,"
                        + " (used_vcpus * 1000000)::BIGINT AS u, used_memory_bytes, (used_gpus * 1000000)::BIGINT AS g,"
                        + " succeeded, failed, retried, elements, busy_millis, counters, "
                        + phases
                        + "list_sum(map_values(start_phases))::BIGINT AS phases",
                "namespace AS c1, \"function\" AS c2, version AS c3, (requested_vcpus * 1000000)::BIGINT AS c4,"
                        + " requested_memory_bytes AS c5, (requested_gpus * 1000000)::BIGINT AS c6, start_kind AS c7, ended AS c8");
        Map<Long, SharedReplica> shared = new HashMap<>();
        rows("SELECT * FROM shared", row -> shared.put(row.getLong(1), sharedReplica(row)));
        Map<String, String> nodes = new HashMap<>();
        return rows(
                "SELECT rows.* EXCLUDE (c1, c2, c3, c4, c5, c6, c7, c8), k FROM rows JOIN shared ON " + join(8)
                        + " ORDER BY s, id",
                row -> replica(row, shared, nodes));
    }

    private static SharedReplica sharedReplica(ResultSet row) throws SQLException {
        Optional<ReplicaEnd> end = Optional.ofNullable(row.getString(9)).map(ReplicaEnd::valueOf);
        return new SharedReplica(
                text(row, 2), text(row, 3), row.getInt(4), resources(row, 5), constant(row, 8, StartKind.COLD), end);
    }

    private static ReplicaInterval replica(ResultSet row, Map<Long, SharedReplica> shared, Map<String, String> nodes)
            throws SQLException {
        SharedReplica common = known(shared, row.getLong(19));
        Interval time = interval(row, 3);
        return new ReplicaInterval(
                text(row, 1),
                common.namespace(),
                common.function(),
                common.version(),
                nodes.computeIfAbsent(text(row, 2), id -> id),
                common.requested(),
                resources(row, 5),
                time,
                common.startKind(),
                phases(row),
                work(row, 8),
                common.end().orElse(time.end().isPresent() ? ReplicaEnd.STOPPED : ReplicaEnd.RUNNING));
    }

    /** The phases that every start has by their names, and the sum of all others. */
    private static Map<String, Duration> phases(ResultSet row) throws SQLException {
        Map<String, Duration> phases = new HashMap<>();
        long others = row.getLong(18);
        for (int i = 0; i < PHASES.size(); i++) {
            long nanos = row.getLong(14 + i);
            if (nanos != 0) {
                phases.put(PHASES.get(i), Duration.ofNanos(nanos));
                others -= nanos;
            }
        }
        if (others != 0) {
            phases.put("other", Duration.ofNanos(others));
        }
        return phases;
    }

    List<RequestSum> requests(Set<RequestSum.By> sums) throws SQLException {
        if (sums.isEmpty() || !tables.containsKey(RecordKind.REQUESTS)) {
            return List.of();
        }
        List<List<String>> sets = new ArrayList<>();
        if (sums.contains(RequestSum.By.VERSION)) {
            sets.add(KEYS.subList(0, KEYS.size() - 1));
        }
        if (sums.contains(RequestSum.By.QUARTER_HOUR)) {
            sets.add(List.of(KEYS.getLast()));
        }
        String minutes = "(SELECT *, epoch_us(start_time) // %d AS quarter FROM %s WHERE %s)"
                .formatted(QUARTER_MICROS, tables.get(RecordKind.REQUESTS), starts);
        return summed(new WorkSums(KEYS, sets), minutes);
    }

    /** Most usage has no counters: then nothing is read twice. */
    private List<RequestSum> summed(WorkSums sums, String minutes) throws SQLException {
        statement.execute("CREATE OR REPLACE TEMP TABLE rows AS "
                + sums.numbers(minutes, Columns.WORK_SUMS + ", count(counters) AS counting"));
        boolean counting = !rows("SELECT 1 FROM rows WHERE counting > 0 LIMIT 1", row -> true)
                .isEmpty();
        String all = counting ? sums.withCounters("rows", minutes) : "SELECT *, NULL AS counters FROM rows";
        return rows("SELECT * EXCLUDE (counting) FROM (%s) ORDER BY 1, 2, 3, 4".formatted(all), DuckDbRows::sum);
    }

    private static RequestSum sum(ResultSet row) throws SQLException {
        Work work = work(row, 5);
        long quarter = row.getLong(4);
        return row.wasNull()
                ? new RequestSum.OfVersion(text(row, 1), text(row, 2), row.getInt(3), work)
                : new RequestSum.OfQuarterHour(instant(quarter * QUARTER_MICROS), work);
    }
}
