package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/**
 * Runs one query of a user over the tables {@code nodes}, {@code replicas}, {@code requests} and others that it is
 * given, in a DuckDB of its own that is in memory and reaches no file, no network and no extension. Memory, time and
 * the answer are bounded. Loads the driver.
 */
public final class UsageSql implements AutoCloseable {
    private static final String PARSE = """
            SELECT t ->> '$.error', t ->> '$.error_message', json_array_length(t -> '$.statements'), t
            FROM (SELECT json_serialize_sql(CAST(? AS VARCHAR)) AS t)
            """;

    private final Connection connection;
    private final Limits limits;

    private UsageSql(Connection connection, Limits limits) {
        this.connection = connection;
        this.limits = limits;
    }

    /**
     * Bounds of a query.
     *
     * @param memory as DuckDB reads it, such as {@code 256MB}
     * @param rows most of an answer
     * @param characters most of an answer
     */
    public record Limits(String memory, int seconds, int rows, long characters) {
        public static final Limits DEFAULT = new Limits("256MB", 30, 10_000, 8L << 20);
    }

    /**
     * A table beside those of the usage.
     *
     * @param columns names and types as {@code read_json} takes them
     * @param lines an object of JSON each
     */
    public record Table(String name, String columns, List<String> lines) {}

    /** What became of a query. */
    public sealed interface Outcome {
        /**
         * @param rows numbers, booleans, texts and nulls
         * @param cut whether there were more rows than the limits allow
         */
        record Answer(List<String> columns, List<List<Object>> rows, boolean cut) implements Outcome {}

        /** @param sentence why, for the one who asked */
        record Refused(String sentence) implements Outcome {}
    }

    /**
     * Opens a database and fills its tables.
     *
     * @param folder exists; for files that are needed while the tables are filled
     */
    public static UsageSql open(List<UsageRecord> rows, List<Table> more, Path folder, Limits limits)
            throws IOException {
        Properties settings = new Properties();
        settings.setProperty("memory_limit", limits.memory());
        settings.setProperty("threads", "2");
        settings.setProperty("temp_directory", "");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        try {
            UsageSql sql = new UsageSql(new DuckDBDriver().connect("jdbc:duckdb:", settings), limits);
            sql.fill(rows, more, folder);
            return sql;
        } catch (SQLException failed) {
            throw new IOException("the tables cannot be filled, choose a shorter period: " + first(failed), failed);
        }
    }

    private void fill(List<UsageRecord> rows, List<Table> more, Path folder) throws IOException, SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<RecordKind, Path> file : written(rows, folder).entrySet()) {
                RecordKind kind = file.getKey();
                create(statement, kind.folder(), "* EXCLUDE (v, revision)", Columns.types(kind), file.getValue());
            }
            for (Table table : more) {
                Path file = Files.write(folder.resolve(table.name() + ".jsonl"), table.lines());
                create(statement, table.name(), "*", table.columns(), file);
            }
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
        } catch (IOException | SQLException | RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    private static void create(Statement statement, String name, String selected, String columns, Path file)
            throws IOException, SQLException {
        statement.execute("""
                CREATE TABLE %s AS SELECT %s
                FROM read_json('%s', format = 'newline_delimited', columns = {%s})
                """.formatted(name, selected, file.toString().replace("'", "''"), columns));
        Files.delete(file);
    }

    private static Map<RecordKind, Path> written(List<UsageRecord> rows, Path folder) throws IOException {
        Map<RecordKind, Path> files = new EnumMap<>(RecordKind.class);
        for (RecordKind kind : RecordKind.values()) {
            Path file = folder.resolve(kind.folder() + ".jsonl");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                for (UsageRecord row : rows) {
                    if (row.kind() == kind) {
                        out.write(RowJson.encode(row));
                        out.write('\n');
                    }
                }
            }
            files.put(kind, file);
        }
        return files;
    }

    /** Runs one SELECT. DuckDB's own parser decides what that is. */
    public Outcome run(String sql) throws IOException {
        try (PreparedStatement parse = connection.prepareStatement(PARSE)) {
            parse.setString(1, sql);
            try (ResultSet parsed = parse.executeQuery()) {
                parsed.next();
                if (!"false".equals(parsed.getString(1))) {
                    return new Outcome.Refused("only one SELECT is allowed: " + parsed.getString(2));
                }
                int statements = parsed.getInt(3);
                if (statements != 1) {
                    return new Outcome.Refused("only one SELECT is allowed, but there are " + statements);
                }
                List<String> other = SqlFunctions.notAllowed(parsed.getString(4));
                return other.isEmpty()
                        ? answer(parsed.getString(4))
                        : new Outcome.Refused("these functions are not allowed: %s; allowed are %s"
                                .formatted(String.join(" ", other), SqlFunctions.names()));
            }
        } catch (SQLTimeoutException late) {
            return new Outcome.Refused("the query took more than %d s; ask for less".formatted(limits.seconds()));
        } catch (SQLException failed) {
            return new Outcome.Refused(first(failed));
        }
    }

    /**
     * Runs what the parser understood, not the text that it read. The limit stands around it, so that DuckDB stops
     * early.
     */
    private Outcome answer(String parsed) throws SQLException {
        try (PreparedStatement back = connection.prepareStatement("SELECT json_deserialize_sql(CAST(? AS JSON))")) {
            back.setString(1, parsed);
            try (ResultSet text = back.executeQuery();
                    Statement statement = connection.createStatement()) {
                text.next();
                statement.setQueryTimeout(limits.seconds());
                String select = "SELECT * FROM (%s) LIMIT %d".formatted(text.getString(1), limits.rows() + 1);
                try (ResultSet result = statement.executeQuery(select)) {
                    return read(result);
                }
            }
        }
    }

    private Outcome read(ResultSet result) throws SQLException {
        int width = result.getMetaData().getColumnCount();
        List<String> columns = new ArrayList<>();
        for (int column = 1; column <= width; column++) {
            columns.add(result.getMetaData().getColumnName(column));
        }
        List<List<Object>> rows = new ArrayList<>();
        long characters = 0;
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= width; column++) {
                Object value = value(result, column);
                characters += value == null ? 0 : value.toString().length();
                row.add(value);
            }
            if (rows.size() == limits.rows() || characters > limits.characters()) {
                return new Outcome.Answer(columns, rows, true);
            }
            rows.add(row);
        }
        return new Outcome.Answer(columns, rows, false);
    }

    private static Object value(ResultSet result, int column) throws SQLException {
        Object value = result.getObject(column);
        return value == null || value instanceof Number || value instanceof Boolean ? value : result.getString(column);
    }

    /** The rest of a message shows where in our own text around the query the fault is. */
    private static String first(SQLException failed) {
        return String.valueOf(failed.getMessage()).lines().findFirst().orElse("no reason was given");
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new IOException("DuckDB does not close: " + failed.getMessage(), failed);
        }
    }
}
