package io.knabla.controller.cost.ledger.sql;

import io.knabla.controller.cost.ledger.TemporaryFolder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One query, with its tables in a folder, and the {@link SqlProgram process} that runs it. A query that overflows the
 * stack, takes memory that DuckDB does not count, or does not end, ends that process only.
 */
public final class SqlRun implements AutoCloseable {
    private static final int MOST_LOG = 2000;

    /** Of {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int JAVA_OUT_OF_MEMORY = 3;

    /** A process that a signal ended has an exit code of this and the signal's number. */
    private static final int SIGNALLED = 128;

    private final SqlLimits limits;
    private final TemporaryFolder folder;

    private SqlRun(SqlLimits limits, TemporaryFolder folder) {
        this.limits = limits;
        this.folder = folder;
    }

    /**
     * Writes the tables; what they were made from is not needed any more.
     *
     * @param parent folder, which exists
     * @throws IOException if they cannot be written
     */
    public static SqlRun prepare(Path parent, SqlLimits limits, String query, List<SqlTable> tables)
            throws IOException {
        SqlRun run = new SqlRun(limits, new TemporaryFolder(parent));
        try {
            for (SqlTable table : tables) {
                table.write(run.folder.path());
            }
            Files.writeString(run.folder.path().resolve(SqlProgram.QUERY), query);
            return run;
        } catch (IOException | RuntimeException failed) {
            run.close();
            throw failed;
        }
    }

    /**
     * Runs the query, once.
     *
     * @param started is given the process before it is waited for
     * @throws IOException if the process fails for another reason than the query
     */
    public SqlOutcome run(Consumer<Process> started) throws IOException {
        Path own = folder.path();
        Path log = own.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(SqlCommand.line(own, limits))
                .directory(own.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(SqlCommand.environment(System.getenv()));
        Process process = builder.start();
        try {
            started.accept(process);
            if (!process.waitFor(limits.process().toMillis(), TimeUnit.MILLISECONDS)) {
                return SqlOutcome.late(limits);
            }
            return outcome(process.exitValue(), own.resolve(SqlProgram.OUTCOME), log);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped while a query ran");
        } finally {
            // Its folder can be deleted only when it writes no more.
            process.destroyForcibly().onExit().join();
        }
    }

    private SqlOutcome outcome(int status, Path outcome, Path log) throws IOException {
        if (status == 0) {
            return OutcomeJson.read(outcome);
        }
        if (status == JAVA_OUT_OF_MEMORY || status > SIGNALLED) {
            return SqlOutcome.ended(status, limits);
        }
        byte[] said = Files.readAllBytes(log);
        throw new IOException("the process of the query failed with exit code %d: %s"
                .formatted(status, new String(said, 0, Math.min(said.length, MOST_LOG), StandardCharsets.UTF_8)));
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
