package io.knabla.controller.cost.ledger.duckdb;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A connection to a DuckDB in memory; every one is opened here. Native code holds the carrier of a virtual thread until
 * it returns, and there are as few carriers as cores, so a virtual thread is refused: see {@link PlatformThreads}.
 */
public final class DuckDb implements AutoCloseable {
    /** Setting "true": rows of a result are read while they are made; otherwise all are in memory before the first. */
    public static final String STREAM_RESULTS = DuckDBDriver.JDBC_STREAM_RESULTS;

    private final Connection connection;

    private DuckDb(Connection connection) {
        this.connection = connection;
    }

    /**
     * Opens a new database without extensions.
     *
     * @param settings of DuckDB, and {@link #STREAM_RESULTS}
     * @throws IllegalStateException on a virtual thread, as are all methods
     */
    public static DuckDb open(Properties settings) throws SQLException {
        requirePlatformThread();
        Properties all = new Properties();
        all.putAll(settings);
        all.setProperty("autoinstall_known_extensions", "false");
        all.setProperty("autoload_known_extensions", "false");
        return new DuckDb(new DuckDBDriver().connect("jdbc:duckdb:", all));
    }

    /** The type whose jar is DuckDB's; nothing native is loaded. */
    public static Class<?> driver() {
        return DuckDBDriver.class;
    }

    /** Opens another connection to the same database. */
    public DuckDb duplicate() throws SQLException {
        requirePlatformThread();
        return new DuckDb(((DuckDBConnection) connection).duplicate());
    }

    public Statement statement() throws SQLException {
        requirePlatformThread();
        return connection.createStatement();
    }

    public PreparedStatement prepare(String sql) throws SQLException {
        requirePlatformThread();
        return connection.prepareStatement(sql);
    }

    @Override
    public void close() throws IOException {
        requirePlatformThread();
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new IOException("DuckDB does not close: " + failed.getMessage(), failed);
        }
    }

    private static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(
                    "DuckDB is called on the virtual thread %s; call it on one of PlatformThreads"
                            .formatted(Thread.currentThread()));
        }
    }
}
