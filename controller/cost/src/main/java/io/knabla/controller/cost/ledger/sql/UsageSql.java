package io.knabla.controller.cost.ledger.sql;

import io.knabla.controller.cost.ledger.duckdb.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Runs queries of a user over the tables of a folder, in a DuckDB of its own that is in memory and reaches no file, no
 * network and no extension. DuckDB's limits and parser are not all that holds a hostile query, so only
 * {@link SqlProgram} opens it.
 */
final class UsageSql implements AutoCloseable {
    static final int THREADS = 2;

    private static final String PARSE = """
            SELECT t ->> '$.error', t ->> '$.error_message', json_array_length(t -> '$.statements'), t
            FROM (SELECT json_serialize_sql(CAST(? AS VARCHAR)) AS t)
            """;

    private final DuckDb database;
    private final SqlLimits limits;

    private UsageSql(DuckDb database, SqlLimits limits) {
        this.database = database;
        this.limits = limits;
    }

    /** @param folder holds the files of {@link SqlTable tables}, which are deleted */
    static UsageSql open(Path folder, SqlLimits limits) throws IOException, SQLException {
        Properties settings = new Properties();
        settings.setProperty("memory_limit", limits.megabytes() + "MB");
        settings.setProperty("threads", Integer.toString(THREADS));
        settings.setProperty("temp_directory", "");
        UsageSql sql = new UsageSql(DuckDb.open(settings), limits);
        sql.fill(folder);
        return sql;
    }

    private void fill(Path folder) throws IOException, SQLException {
        try (Statement statement = database.statement()) {
            for (Path columns : columns(folder)) {
                create(statement, columns);
            }
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("SET enable_external_access = false");
            statement.execute("SET lock_configuration = true");
        } catch (IOException | SQLException | RuntimeException failed) {
            database.close();
            throw failed;
        }
    }

    private static List<Path> columns(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SqlTable.COLUMNS))
                    .toList();
        }
    }

    private static void create(Statement statement, Path columns) throws IOException, SQLException {
        String name = columns.getFileName().toString().replace(SqlTable.COLUMNS, "");
        Path lines = columns.resolveSibling(name + SqlTable.LINES);
        statement.execute("""
                CREATE TABLE %s AS SELECT *
                FROM read_json('%s', format = 'newline_delimited', columns = {%s})
                """.formatted(name, lines.toString().replace("'", "''"), Files.readString(columns)));
        Files.delete(lines);
        Files.delete(columns);
    }

    /** Runs one SELECT. DuckDB's own parser decides what that is. */
    SqlOutcome run(String sql) {
        try (PreparedStatement parse = database.prepare(PARSE)) {
            parse.setString(1, sql);
            try (ResultSet parsed = parse.executeQuery()) {
                parsed.next();
                if (!"false".equals(parsed.getString(1))) {
                    return new SqlOutcome.Refused("only one SELECT is allowed: " + parsed.getString(2));
                }
                int statements = parsed.getInt(3);
                if (statements != 1) {
                    return new SqlOutcome.Refused("only one SELECT is allowed, but there are " + statements);
                }
                String tree = parsed.getString(4);
                Optional<String> fault = SqlTree.read(tree).fault();
                return fault.isEmpty() ? answer(tree) : new SqlOutcome.Refused(fault.get());
            }
        } catch (SQLTimeoutException late) {
            return SqlOutcome.late(limits);
        } catch (SQLException failed) {
            return new SqlOutcome.Refused(first(failed));
        }
    }

    static SqlOutcome notFilled(SQLException failed) {
        return new SqlOutcome.Refused("the tables cannot be filled, choose a shorter period: " + first(failed));
    }

    /**
     * Runs what the parser understood, not the text that it read. The limit stands around it, so that DuckDB stops
     * early.
     */
    private SqlOutcome answer(String parsed) throws SQLException {
        try (PreparedStatement back = database.prepare("SELECT json_deserialize_sql(CAST(? AS JSON))")) {
            back.setString(1, parsed);
            try (ResultSet text = back.executeQuery();
                    Statement statement = database.statement()) {
                text.next();
                statement.setQueryTimeout(limits.seconds());
                String select = "SELECT * FROM (%s) LIMIT %d".formatted(text.getString(1), limits.rows() + 1);
                try (ResultSet result = statement.executeQuery(select)) {
                    return read(result);
                }
            }
        }
    }

    private SqlOutcome read(ResultSet result) throws SQLException {
        int width = result.getMetaData().getColumnCount();
        if (width > SqlLimits.COLUMNS) {
            return new SqlOutcome.Refused(
                    "an answer has at most %d columns; this one has %d".formatted(SqlLimits.COLUMNS, width));
        }
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
                characters += String.valueOf(value).length();
                row.add(value);
            }
            if (rows.size() == limits.rows() || characters > limits.characters()) {
                return new SqlOutcome.Answer(columns, rows, true);
            }
            rows.add(row);
        }
        return new SqlOutcome.Answer(columns, rows, false);
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
        database.close();
    }
}
