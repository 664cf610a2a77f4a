package io.knabla.controller.cost.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqlRunTest {
    private static final SqlLimits LIMITS = new SqlLimits(256, 20, 1000, 1 << 20);

    /** Time is up while the process starts. */
    private static final SqlLimits NO_TIME = new SqlLimits(256, -(int) SqlLimits.GRACE.toSeconds(), 1000, 1 << 20);

    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    private SqlOutcome run(SqlLimits limits, String query, Consumer<Process> started) throws IOException {
        try (SqlRun run = SqlRun.prepare(folder, limits, query, UsageSqlTest.tables())) {
            return run.run(started);
        }
    }

    private SqlOutcome run(String query) throws IOException {
        return run(LIMITS, query, process -> {});
    }

    @Test
    void answersAsWithoutAProcess() throws IOException {
        assertThat(
                        run(
                                "select id, vcpus, gpus, null as n, true as yes, 0.5::double as half, 'ä\\n😀' as text, "
                                        + "1267650600228229401496703205376::hugeint as huge, 'nan'::double as nan, start_time from nodes order by id limit 1"))
                .hasToString("Answer[columns=[id, vcpus, gpus, n, yes, half, text, huge, nan, start_time], rows=[[a,"
                        + " 4.000000, 1.000000, null, true, 0.5, ä\\n😀, 1267650600228229401496703205376, NaN,"
                        + " 2026-11-23 05:00:00.0]], cut=false]");
        assertThat(run("select * from prices"))
                .hasToString("Answer[columns=[instance_type, usd], rows=[[x, 0.500]], cut=false]");
        assertThat(run("drop table nodes")).isInstanceOf(SqlOutcome.Refused.class);
    }

    @Test
    void comparesTimesWithNow() throws IOException {
        assertThat(run("select count(*) as n from nodes where start_time >= now() - INTERVAL 30000 DAY -- all"))
                .hasToString("Answer[columns=[n], rows=[[2]], cut=false]");
    }

    /** Each of them ended or blocked the process that ran it, at limits of DuckDB. */
    static Stream<String> bombs() {
        return Stream.of(
                String.join(" union all ", Collections.nCopies(400, "select 1")),
                String.join(" union all ", Collections.nCopies(20_000, "select 1")),
                "with t0 as (select null a)" + stars(6) + " select * from t6",
                "select 1 where " + "exists (select 1 where ".repeat(25) + "true" + ")".repeat(25),
                "select " + "(".repeat(100_000) + "1" + ")".repeat(100_000),
                "select " + "abs(".repeat(50_000) + "1" + ")".repeat(50_000),
                "select " + "not ".repeat(100_000) + "true",
                "select null::" + "struct(a ".repeat(20_000) + "int" + ")".repeat(20_000));
    }

    private static String stars(int levels) {
        StringBuilder tables = new StringBuilder();
        for (int i = 1; i <= levels; i++) {
            tables.append(", t%d as (select *,*,*,*,*,*,*,*,*,* from t%d)".formatted(i, i - 1));
        }
        return tables.toString();
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void aHostileQueryIsRefused(String query) throws IOException {
        assertThat(run(query)).isInstanceOf(SqlOutcome.Refused.class);
    }

    @Test
    void aProcessThatASignalEndsIsToldToTheCaller() throws IOException {
        assertThat(run(LIMITS, "select 1", Process::destroyForcibly))
                .isEqualTo(new SqlOutcome.Refused(
                        "the query ended its process (exit code 137): it needs more than 256 MB, or"
                                + " is nested too deeply; ask for less"));
    }

    @Test
    void aProcessThatIsLateIsKilled() throws IOException {
        AtomicReference<Process> process = new AtomicReference<>();
        assertThat(run(NO_TIME, "select 1", process::set))
                .isEqualTo(new SqlOutcome.Refused("the query took more than -10 s; ask for less"));
        assertThat(process.get().isAlive()).isFalse();
    }

    /** A controller that is killed closes it. */
    @Test
    void aProcessEndsWithItsStandardInput() throws IOException {
        assertThatThrownBy(() -> run(LIMITS, "select count(*) from " + UsageSqlTest.numbers(18), this::closeInput))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 1");
    }

    private void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aProcessKnowsNoSecretsOfThisOne() {
        assertThat(SqlCommand.environment(Map.of("KNABLA_TOKEN", "t", "AWS_SECRET_ACCESS_KEY", "s", "PATH", "/bin")))
                .isEqualTo(Map.of("PATH", "/bin", "MALLOC_ARENA_MAX", "2"));
    }

    @Test
    void aTableThatCannotBeWrittenLeavesNoFolder() {
        SqlTable failing = new SqlTable("t", "a: 'INTEGER'", Stream.generate(() -> {
            throw new IllegalStateException("the rows end here");
        }));
        assertThatThrownBy(() -> SqlRun.prepare(folder, LIMITS, "select 1", List.of(failing)))
                .hasMessage("the rows end here");
    }
}
