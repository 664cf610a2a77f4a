package io.knabla.bench.cost;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers the question of the report by DuckDB alone, as the bench's reference: cost by function and capacity at fixed
 * prices, in floating point, and requests by function. It reads the files of the hours and the columns that the report
 * reads, but for the ids of replicas and the names of nodes.
 */
final class BareQuery {
    private static final String COST = """
            SELECT r.namespace, r.function, r.version, n.capacity,
                sum((epoch_us(r.end_time) - epoch_us(r.start_time)) / 3.6e9
                    * greatest(r.requested_vcpus, r.used_vcpus) / n.vcpus
                    * CASE n.instance_type WHEN 'm7i.2xlarge' THEN 0.4032 ELSE 1.006 END
                    * CASE n.capacity WHEN 'SPOT' THEN 0.4 ELSE 1 END) AS usd,
                sum(greatest(r.requested_memory_bytes, r.used_memory_bytes)), max(n.memory_bytes),
                sum(greatest(r.requested_gpus, r.used_gpus)), max(n.gpus), max(n.region), max(n.zone_id), max(n.pool),
                min(n.start_time), max(n.end_time), count(*) FILTER (n.ended = 'INTERRUPTED'),
                count(*) FILTER (r.ended = 'INTERRUPTED'), count(*) FILTER (r.start_kind = 'COLD'),
                sum(list_sum(map_values(r.start_phases))), sum(r.succeeded), sum(r.failed), sum(r.retried),
                sum(r.elements), sum(r.busy_millis)
            FROM %s AS r JOIN %s AS n ON r.node = n.id
            GROUP BY ALL
            """;
    private static final String REQUESTS = """
            SELECT namespace, function, version, sum(succeeded), sum(failed), sum(retried), sum(elements),
                sum(busy_millis)
            FROM %s WHERE start_time >= TIMESTAMP '2026-06-01' AND start_time < TIMESTAMP '2027-06-01'
            GROUP BY ALL
            """;

    private final Properties settings = new Properties();
    private final String cost;
    private final String requests;

    BareQuery(ObjectStore store, String memory, int threads) {
        settings.setProperty("memory_limit", memory);
        settings.setProperty("threads", Integer.toString(threads));
        cost = COST.formatted(files(store, RecordKind.REPLICA), files(store, RecordKind.NODE));
        requests = REQUESTS.formatted(files(store, RecordKind.REQUESTS));
    }

    private static String files(ObjectStore store, RecordKind kind) {
        try (Stream<ObjectInfo> all = store.list("usage/" + kind.folder() + '/')) {
            return all.map(ObjectInfo::key)
                    .map(key -> store.localPath(key).orElseThrow())
                    .map(path -> "'" + path + "'")
                    .collect(Collectors.joining(", ", "read_parquet([", "])"));
        }
    }

    /** Returns the number of groups. */
    int run() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
                Statement statement = connection.createStatement()) {
            return groups(statement, cost) + groups(statement, requests);
        }
    }

    private static int groups(Statement statement, String query) throws SQLException {
        int groups = 0;
        try (ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                groups++;
            }
        }
        return groups;
    }
}
