package io.knabla.controller.cost.ledger.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * The process of one query. Its folder holds the {@link SqlTable tables} and the text of the query; the outcome is
 * written there. It ends as well when its standard input does, that is with the process that started it.
 */
final class SqlProgram {
    static final String QUERY = "query.sql";
    static final String OUTCOME = "outcome.json";

    /** DuckDB plans by recursion; a stack takes memory only where it was used. */
    private static final long STACK_BYTES = 512L << 20;

    private SqlProgram() {}

    /** @param args folder, and {@link SqlLimits#arguments} */
    public static void main(String[] args) throws InterruptedException {
        SqlLimits limits = SqlLimits.parse(List.of(args).subList(1, args.length));
        Thread.ofPlatform().daemon().name("parent").start(SqlProgram::endWithParent);
        Thread query = new Thread(null, () -> run(Path.of(args[0]), limits), "query", STACK_BYTES);
        query.setUncaughtExceptionHandler((_, failed) -> end(failed));
        query.start();
        query.join();
        // DuckDB may have threads that still work.
        Runtime.getRuntime().halt(0);
    }

    private static void run(Path folder, SqlLimits limits) {
        try {
            OutcomeJson.write(outcome(folder, limits), folder.resolve(OUTCOME));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void end(Throwable failed) {
        failed.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    private static SqlOutcome outcome(Path folder, SqlLimits limits) throws IOException {
        try (UsageSql sql = UsageSql.open(folder, limits)) {
            ProcessLimits.set(
                    (long) (limits.megabytes() + SqlLimits.PROCESS_MEGABYTES) << 20,
                    UsageSql.THREADS * limits.process().toSeconds(),
                    limits.fileBytes());
            return sql.run(Files.readString(folder.resolve(QUERY)));
        } catch (SQLException failed) {
            return UsageSql.notFilled(failed);
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever sent.
            }
        } catch (IOException closed) {
            // As at the end.
        }
        Runtime.getRuntime().halt(1);
    }
}
