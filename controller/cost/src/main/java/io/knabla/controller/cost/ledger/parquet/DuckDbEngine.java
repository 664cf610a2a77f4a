package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.cost.ledger.duckdb.DuckDb;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.RequestSum;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Merges and reads with an in-memory DuckDB. Its memory and threads are limited, it spills into its folder, loads no
 * extension and cannot reach any file outside of the folder. Loads the driver with itself: see {@link ParquetEngine}.
 */
final class DuckDbEngine implements ParquetEngine {
    /** Characters with a meaning in the file patterns of DuckDB, or in its texts. */
    private static final String PATTERN_CHARACTERS = "*?[]{}'";

    private static final WorkSums SUMS = WorkSums.by("start_time", "namespace", "\"function\"", "version");

    private final Path folder;
    private final DuckDb database;

    private DuckDbEngine(Path folder, DuckDb database) {
        this.folder = folder;
        this.database = database;
    }

    static ParquetEngine open(Path folder, String memoryLimit, int threads) throws IOException {
        Path real = folder.toRealPath();
        requirePlain(real);
        Properties settings = new Properties();
        settings.setProperty("memory_limit", memoryLimit);
        settings.setProperty("threads", Integer.toString(threads));
        settings.setProperty("temp_directory", real.resolve("spill").toString());
        // Every result that needs an order states it; to keep that of hundreds of small files takes much memory.
        settings.setProperty("preserve_insertion_order", "false");
        settings.setProperty(DuckDb.STREAM_RESULTS, "true");
        try {
            return confined(real, DuckDb.open(settings));
        } catch (SQLException failed) {
            throw new IOException("DuckDB does not open: " + failed.getMessage(), failed);
        }
    }

    private static ParquetEngine confined(Path folder, DuckDb database) throws IOException {
        DuckDbEngine engine = new DuckDbEngine(folder, database);
        try {
            engine.confine();
            return engine;
        } catch (IOException | RuntimeException failed) {
            engine.close();
            throw failed;
        }
    }

    private static void requirePlain(Path path) throws IOException {
        if (path.toString().chars().anyMatch(character -> PATTERN_CHARACTERS.indexOf(character) >= 0)) {
            throw new IOException("DuckDB cannot work with %s: its path has one of %s; choose another temporary folder"
                    .formatted(path, PATTERN_CHARACTERS));
        }
    }

    /** Path for a statement; the folder that DuckDB is confined to has no symbolic links, so this has none. */
    private static Path plain(Path file) throws IOException {
        Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
        requirePlain(real);
        return real;
    }

    private void confine() throws IOException {
        execute("SET allowed_directories = ['%s/']".formatted(folder));
        execute("SET enable_external_access = false");
        execute("SET lock_configuration = true");
    }

    @Override
    public Merged merge(RecordKind kind, Path lines, Optional<Path> old, Path target) throws IOException {
        String fresh = "SELECT * FROM " + json(kind, lines);
        String all = old.isPresent()
                ? fresh + " UNION ALL BY NAME SELECT * FROM read_parquet('%s')".formatted(plain(old.get()))
                : fresh;
        execute("""
                COPY (
                    SELECT * FROM (%s)
                    QUALIFY row_number() OVER (PARTITION BY id ORDER BY revision DESC) = 1
                    ORDER BY start_time, id
                ) TO '%s' (FORMAT parquet, COMPRESSION zstd)
                """.formatted(all, plain(target)));
        return describe(kind, plain(target));
    }

    @Override
    public Merged sum(Path minutes, Path target) throws IOException {
        String quarters = "(SELECT * REPLACE (time_bucket(INTERVAL 15 MINUTE, start_time) AS start_time) FROM %s)"
                .formatted(whole(RecordKind.REQUESTS, minutes));
        String numbers = SUMS.numbers(quarters, "max(v) AS v, " + Columns.WORK_SUMS);
        execute("""
                COPY (
                    SELECT v, NULL::VARCHAR AS id, NULL::BIGINT AS revision, start_time, namespace, "function", version,
                        NULL::VARCHAR AS replica, * EXCLUDE (v, start_time, namespace, "function", version)
                    FROM (%s) ORDER BY start_time, namespace, "function", version
                ) TO '%s' (FORMAT parquet, COMPRESSION zstd)
                """.formatted(SUMS.withCounters('(' + numbers + ')', quarters), plain(target)));
        return describe(RecordKind.REQUESTS, plain(target));
    }

    @Override
    public Merged concatenate(RecordKind kind, List<Path> files, Path target) throws IOException {
        execute("COPY (SELECT * FROM %s ORDER BY start_time) TO '%s' (FORMAT parquet, COMPRESSION zstd)"
                .formatted(parquet(files, true), plain(target)));
        return describe(kind, plain(target));
    }

    /** Rows of a file; an empty file of lines adds the columns that an older one lacks. */
    private String whole(RecordKind kind, Path file) throws IOException {
        return "(SELECT * FROM read_parquet('%s') UNION ALL BY NAME SELECT * FROM %s)"
                .formatted(plain(file), json(kind, emptyLines()));
    }

    /** @param unite whether files may lack columns */
    private static String parquet(List<Path> files, boolean unite) throws IOException {
        StringJoiner list = new StringJoiner("', '", "['", "']");
        for (Path file : files) {
            list.add(plain(file).toString());
        }
        return "read_parquet(%s, union_by_name = %s)".formatted(list, unite);
    }

    private static String json(RecordKind kind, Path lines) throws IOException {
        return "read_json('%s', format = 'newline_delimited', columns = {%s})"
                .formatted(plain(lines), Columns.types(kind));
    }

    private Merged describe(RecordKind kind, Path file) throws IOException {
        String end = Columns.end(kind);
        String query = "SELECT count(*), CASE WHEN count(*) = count(%1$s) THEN epoch_us(max(%1$s)) END FROM %2$s"
                .formatted(end, "read_parquet('" + file + "')");
        try (Statement statement = database.statement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            long rows = result.getLong(1);
            long micros = result.getLong(2);
            return new Merged(rows, result.wasNull() ? Optional.empty() : Optional.of(instant(micros)));
        } catch (SQLException failed) {
            throw new IOException("DuckDB cannot describe %s: %s".formatted(file, failed.getMessage()), failed);
        }
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1000L);
    }

    @Override
    public void read(RecordKind kind, Path file, Consumer<UsageRecord> rows) throws IOException {
        String query = """
                SELECT CAST(to_json(line) AS VARCHAR) FROM (
                    SELECT '%s' AS kind, * REPLACE (%s) FROM %s
                ) AS line
                """.formatted(kind.label(), Columns.texts(kind), whole(kind, file));
        long expected = count(plain(file));
        long given = 0;
        try (Statement statement = database.statement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                rows.accept(RowJson.decode(result.getString(1)).row());
                given++;
            }
        } catch (SQLException failed) {
            throw new IOException("DuckDB cannot read %s: %s".formatted(file, failed.getMessage()), failed);
        }
        // A failure within a streamed result ends it as if it were complete (duckdb_jdbc 1.4.2).
        if (given != expected) {
            throw new IOException(
                    "DuckDB read only %d of the %d rows of %s; read it again".formatted(given, expected, file));
        }
    }

    /**
     * Reads as if every file had the columns of this version, which some read faster and in less memory; if that fails,
     * an older one lacks some, and all footers are read first.
     */
    @Override
    public ParquetUsage read(Map<RecordKind, List<Path>> files, Instant from, Instant until, Set<RequestSum.By> sums)
            throws IOException {
        try {
            return queried(tables(files, false), from, until, sums);
        } catch (SQLException | ExecutionException lacking) {
            try {
                return queried(tables(files, true), from, until, sums);
            } catch (SQLException | ExecutionException failed) {
                throw new IOException("DuckDB cannot read the usage: " + failed.getMessage(), failed);
            }
        }
    }

    /** An empty file with the columns of this version is the first, and so gives those of the table. */
    private Map<RecordKind, String> tables(Map<RecordKind, List<Path>> files, boolean unite) throws IOException {
        Map<RecordKind, String> tables = new EnumMap<>(RecordKind.class);
        for (Map.Entry<RecordKind, List<Path>> ofKind : files.entrySet()) {
            Path none = plain(folder.resolve(ofKind.getKey().folder() + "-none.parquet"));
            execute("COPY (SELECT * FROM %s) TO '%s' (FORMAT parquet)"
                    .formatted(json(ofKind.getKey(), emptyLines()), none));
            List<Path> all = new ArrayList<>(List.of(none));
            all.addAll(ofKind.getValue());
            tables.put(ofKind.getKey(), parquet(all, unite));
        }
        return tables;
    }

    /** The sums are made by DuckDB, the intervals mostly by this thread: at once they take less time. */
    private ParquetUsage queried(Map<RecordKind, String> tables, Instant from, Instant until, Set<RequestSum.By> sums)
            throws SQLException, ExecutionException, IOException {
        try (ExecutorService thread = Executors.newSingleThreadExecutor();
                DuckDb other = database.duplicate();
                Statement ofSums = other.statement();
                Statement ofIntervals = database.statement()) {
            DuckDbRows minutes = new DuckDbRows(ofSums, tables, from, until);
            Future<List<RequestSum>> requests = thread.submit(() -> minutes.requests(sums));
            return new DuckDbRows(ofIntervals, tables, from, until).read(minutes, requests);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reading of usage was interrupted");
        }
    }

    private Path emptyLines() throws IOException {
        return Files.write(folder.resolve("none.jsonl"), new byte[0]);
    }

    private long count(Path file) throws IOException {
        try (Statement statement = database.statement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM read_parquet('%s')".formatted(file))) {
            result.next();
            return result.getLong(1);
        } catch (SQLException failed) {
            throw new IOException("DuckDB cannot read %s: %s".formatted(file, failed.getMessage()), failed);
        }
    }

    private void execute(String sql) throws IOException {
        try (Statement statement = database.statement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IOException("DuckDB failed: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
