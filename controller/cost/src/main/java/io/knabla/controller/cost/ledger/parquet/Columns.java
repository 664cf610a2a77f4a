package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.row.RecordKind;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Columns of the Parquet files, by the names of the fields of a JSON line; times are UTC. A version may add columns,
 * and never removes or renames one.
 */
public final class Columns {
    /** What tells versions of a row apart, and rows of versions. */
    private static final String VERSIONS = "v: 'INTEGER', revision: 'BIGINT', ";

    private static final String NODE = """
            id: 'VARCHAR', start_time: 'TIMESTAMP', end_time: 'TIMESTAMP',
            ended: 'VARCHAR', name: 'VARCHAR', pool: 'VARCHAR', capacity: 'VARCHAR', instance_type: 'VARCHAR',
            region: 'VARCHAR', zone_id: 'VARCHAR', vcpus: 'DECIMAL(18,6)', memory_bytes: 'BIGINT', gpus: 'DECIMAL(18,6)'
            """;

    private static final String WORK = """
            succeeded: 'BIGINT', failed: 'BIGINT', retried: 'BIGINT', elements: 'BIGINT', busy_millis: 'BIGINT',
            counters: 'MAP(VARCHAR, BIGINT)'
            """;

    /**
     * Expressions of the sums of work, under the names of its columns; those of counters are made by {@link WorkSums}.
     */
    static final String WORK_SUMS = Stream.of("succeeded", "failed", "retried", "elements", "busy_millis")
            .map("sum(%1$s)::BIGINT AS %1$s"::formatted)
            .collect(Collectors.joining(", "));

    private static final String REPLICA = """
            id: 'VARCHAR', start_time: 'TIMESTAMP', end_time: 'TIMESTAMP',
            ended: 'VARCHAR', namespace: 'VARCHAR', function: 'VARCHAR', version: 'INTEGER', node: 'VARCHAR',
            requested_vcpus: 'DECIMAL(18,6)', requested_memory_bytes: 'BIGINT', requested_gpus: 'DECIMAL(18,6)',
            used_vcpus: 'DECIMAL(18,6)', used_memory_bytes: 'BIGINT', used_gpus: 'DECIMAL(18,6)', start_kind: 'VARCHAR',
            start_phases: 'MAP(VARCHAR, BIGINT)',
            """ + WORK;

    private static final String REQUESTS = """
            id: 'VARCHAR', start_time: 'TIMESTAMP', namespace: 'VARCHAR',
            function: 'VARCHAR', version: 'INTEGER', replica: 'VARCHAR',
            """ + WORK;

    private static final String ISO = "strftime(%1$s, '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ') AS %1$s";

    private Columns() {}

    /** Names and types as {@code read_json} takes them. */
    static String types(RecordKind kind) {
        return VERSIONS + meaning(kind);
    }

    /** The same without versions of rows and formats: what a user's query may read. */
    public static String meaning(RecordKind kind) {
        return switch (kind) {
            case NODE -> NODE;
            case REPLICA -> REPLICA;
            case REQUESTS -> REQUESTS;
        };
    }

    /** Expressions that give times and amounts as the text of a JSON line. */
    static String texts(RecordKind kind) {
        String start = ISO.formatted("start_time");
        String end = ISO.formatted("end_time");
        return switch (kind) {
            case NODE -> String.join(", ", start, end, "vcpus::VARCHAR AS vcpus");
            case REPLICA ->
                String.join(
                        ", ",
                        start,
                        end,
                        "requested_vcpus::VARCHAR AS requested_vcpus",
                        "used_vcpus::VARCHAR AS used_vcpus");
            case REQUESTS -> start;
        };
    }

    /** Expression of a row's end; null while it lasts. */
    static String end(RecordKind kind) {
        return switch (kind) {
            case NODE, REPLICA -> "end_time";
            case REQUESTS -> "start_time + INTERVAL 1 MINUTE";
        };
    }
}
