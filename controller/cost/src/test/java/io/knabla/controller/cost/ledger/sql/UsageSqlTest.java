package io.knabla.controller.cost.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.TestRows;
import io.knabla.functions.unit.usage.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageSqlTest {
    private static final SqlLimits LIMITS = new SqlLimits(256, 2, 1000, 1 << 20);

    @TempDir
    Path folder;

    private UsageSql sql;

    @BeforeEach
    void open() throws IOException, SQLException {
        for (SqlTable table : tables()) {
            table.write(folder);
        }
        sql = UsageSql.open(folder, LIMITS);
    }

    static List<SqlTable> tables() {
        List<SqlTable> tables = new ArrayList<>(SqlTable.of(List.of(
                TestRows.running("a", TestRows.FIVE, 0),
                TestRows.ended("b", TestRows.FIVE, TestRows.SIX, 1),
                TestRows.replica("r", TestRows.FIVE, 7, 0),
                TestRows.requests("r", TestRows.FIVE, 5, 0),
                TestRows.requests("t", TestRows.FIVE, 0, new Counters(Map.of("toy_tokens", 42L)), 0))));
        tables.add(SqlTable.ofTexts(
                "prices",
                "instance_type: 'VARCHAR', usd: 'DECIMAL(9,3)'",
                Stream.of("{\"instance_type\":\"x\",\"usd\":\"0.5\"}")));
        return tables;
    }

    @AfterEach
    void close() throws IOException {
        sql.close();
    }

    private List<List<Object>> rows(String query) {
        SqlOutcome outcome = sql.run(query);
        assertThat(outcome).as(query).isInstanceOf(SqlOutcome.Answer.class);
        return ((SqlOutcome.Answer) outcome).rows();
    }

    private String refusal(String query) {
        SqlOutcome outcome = sql.run(query);
        assertThat(outcome).as(query).isInstanceOf(SqlOutcome.Refused.class);
        return ((SqlOutcome.Refused) outcome).sentence();
    }

    @Test
    void answersFromTheThreeTables() throws IOException {
        assertThat(rows("select id, ended, vcpus, gpus from nodes order by id; -- all\n"))
                .hasToString("[[a, RUNNING, 4.000000, 1.000000], [b, INTERRUPTED, 4.000000, 1.000000]]");
        assertThat(rows("with r as (select * from replicas) select function, sum(succeeded) from r group by all"))
                .hasToString("[[classify, 7]]");
        assertThat(rows("from requests select replica, succeeded qualify row_number() over (order by id) = 1"))
                .hasToString("[[r, 5]]");
    }

    @Test
    void countersAreFoundByTheirNames() {
        assertThat(rows("select replica, counters['toy_tokens'], counters from requests order by id"))
                .hasToString("[[r, null, null], [t, 42, {toy_tokens=42}]]");
        assertThat(rows("select sum(counters['toy_tokens']), sum(counters['none']) from requests"))
                .hasToString("[[42, null]]");
        assertThat(rows("select count(*) from requests where counters['toy_tokens'] > 41"))
                .hasToString("[[1]]");
    }

    @Test
    void answersFromAnotherTable() throws IOException {
        assertThat(rows("select * from prices")).hasToString("[[x, 0.500]]");
        assertThat(refusal("drop table prices")).contains("only one SELECT");
    }

    @Test
    void textsStandForWhatIsNoNumber() throws IOException {
        assertThat(rows("select start_time, end_time is null, null from nodes where id = 'a'"))
                .hasToString("[[2026-11-23 05:00:00.0, true, null]]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start_time >= now() - INTERVAL 30000 DAY",
                "start_time > current_timestamp - interval '100 years'",
                "start_time between now() - interval 100 year and today() + interval (1200) month",
                "start_time < now() + to_weeks(10000)",
                "start_time >= current_date - 30000"
            })
    void comparesTimesWithNow(String condition) {
        assertThat(rows("select count(*) from nodes where " + condition)).hasToString("[[2]]");
        assertThat(rows("select count(*) from nodes where not (" + condition + ")"))
                .hasToString("[[0]]");
    }

    /** DuckDB takes the zone of a new session from the JVM. */
    @Test
    void nowIsUtcWhereverItRuns() throws IOException, SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        try (UsageSql there = UsageSql.open(folder, LIMITS)) {
            assertThat(there.run("select epoch_ms(now()::timestamp) - epoch_ms(now()) as ms"))
                    .hasToString("Answer[columns=[ms], rows=[[0]], cut=false]");
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void leavesCommentsOut() {
        assertThat(rows("-- first\nselect /* of */ count(*) -- last; drop table nodes\nfrom nodes /* end */; -- all"))
                .hasToString("[[2]]");
    }

    @Test
    void showsTablesAndTheirColumns() {
        assertThat(rows("show tables")).hasToString("[[nodes], [prices], [replicas], [requests]]");
        assertThat(rows("SHOW TABLES; -- all")).hasSize(4);
        assertThat(rows("describe prices")).extracting(row -> row.getFirst()).containsExactly("instance_type", "usd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy nodes to 'stolen.csv'",
                "copy (select 1) to 'stolen.csv'",
                "attach 'stolen.db'",
                "install httpfs",
                "load httpfs",
                "pragma database_list",
                "set memory_limit = '10GB'",
                "reset memory_limit",
                "call pragma_version()",
                "export database 'stolen'",
                "import database 'stolen'",
                "create table t as select 1",
                "insert into nodes select * from nodes",
                "update nodes set id = 'x'",
                "delete from nodes",
                "drop table nodes",
                "truncate nodes",
                "begin",
                "checkpoint",
                "vacuum",
                "explain analyze select 1",
                "prepare p as select 1",
                "use memory",
                "select 1; select 2",
                "select 1; drop table nodes",
                "select 1); drop table nodes; (select 2",
                "with d as (delete from nodes returning *) select * from d",
                "",
                ";",
                "-- nothing",
                "selekt 1",
                "select * from read_csv('/etc/passwd')",
                "select * from read_text('/etc/passwd')",
                "select * from read_blob('/etc/passwd')",
                "select * from read_json('/etc/passwd')",
                "select * from read_parquet('/etc/passwd')",
                "select * from '/etc/passwd'",
                "select * from glob('/etc/*')",
                "select * from sniff_csv('/etc/passwd')",
                "select * from 'https://example.org/a.csv'",
                "select * from query('copy nodes to ''stolen.csv''')",
                "select getenv('HOME')",
                "select * from secrets",
                "select * from sqlite_scan('a', 'b')"
            })
    void refusesWhatIsNoSelectOrReachesOut(String query) throws IOException {
        assertThat(refusal(query)).isNotBlank().doesNotContain("root:");
        assertThat(rows("select count(*) from nodes")).hasToString("[[2]]");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    /** The text of a list of numbers: {@code n} rows of a query without functions that make rows. */
    static String numbers(int powerOfTen) {
        String ten = "(values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) ";
        return IntStream.range(0, powerOfTen)
                .mapToObj(i -> ten + (char) ('a' + i) + "(n)")
                .collect(Collectors.joining(", "));
    }

    /** The clock of the test is the machine's, because DuckDB's is: a bound, no measurement. */
    @Test
    void endsAfterItsTime() throws IOException {
        Instant start = Instant.now();
        assertThat(refusal("select count(*) from " + numbers(18) + " where a.n + r.n = 99"))
                .containsPattern("took more than 2 s|(?i)memory");
        assertThat(refusal("with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r"))
                .containsPattern("took more than 2 s|(?i)memory");
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(60));
        assertThat(rows("select 1")).hasToString("[[1]]");
    }

    @Test
    void endsAtItsMemory() throws IOException {
        assertThat(refusal("select median(a.n + f.n + j.n) from " + numbers(10)))
                .containsPattern("(?i)memory|took more than 2 s");
        assertThat(rows("select 1")).hasToString("[[1]]");
    }

    /** Those grow beyond the memory limit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select length(repeat('x', 2000000000))",
                "select lpad('x', 2000000000, 'y')",
                "select range(2000000000)",
                "select * from range(10)",
                "select string_agg(id, '') from nodes",
                "select list(id) from nodes",
                "with recursive r(n, s) as (select 1, 'x' union all select n + 1, s || s from r) select max(n) from r",
                "select replace(id, 'a', 'aaaaaaaa') from nodes",
                "select printf('%2000000000d', 1)",
                "select count(*) from nodes where id in (select concat(id, id) from nodes)"
            })
    void refusesFunctionsThatGrowTheirInput(String query) throws IOException {
        assertThat(refusal(query)).contains("these functions are not allowed: ");
    }

    @Test
    void cutsLongAnswers() throws IOException {
        SqlOutcome.Answer many = (SqlOutcome.Answer) sql.run("select a.n from " + numbers(4));
        assertThat(many.rows()).hasSize(LIMITS.rows());
        assertThat(many.cut()).isTrue();
        SqlOutcome.Answer wide =
                (SqlOutcome.Answer) sql.run("select '%s', a.n from %s".formatted("x".repeat(400_000), numbers(1)));
        assertThat(wide.rows()).hasSize(2);
        assertThat(wide.cut()).isTrue();
        assertThat(((SqlOutcome.Answer) sql.run("select 1")).cut()).isFalse();
    }

    @Test
    void nullsCountTowardsTheSizeOfAnAnswer() {
        String nulls = String.join(", ", Collections.nCopies(900, "null"));
        var answer = (SqlOutcome.Answer) sql.run("select %s from %s".formatted(nulls, numbers(3)));
        assertThat(answer.cut()).isTrue();
        assertThat(answer.rows()).hasSize((int) (LIMITS.characters() / (900 * "null".length())));
    }

    @Test
    void refusesAnswersOfTooManyColumns() throws IOException {
        assertThat(refusal("select " + String.join(", ", Collections.nCopies(1001, "1"))))
                .isEqualTo("an answer has at most 1000 columns; this one has 1001");
    }

    /** The help of the command names the columns, so none may go. */
    @Test
    void tablesHaveTheColumnsThatTheHelpNames() throws IOException {
        assertThat(columns("nodes"))
                .containsExactly(
                        "id",
                        "start_time",
                        "end_time",
                        "ended",
                        "name",
                        "pool",
                        "capacity",
                        "instance_type",
                        "region",
                        "zone_id",
                        "vcpus",
                        "memory_bytes",
                        "gpus");
        assertThat(columns("replicas"))
                .containsExactly(
                        "id",
                        "start_time",
                        "end_time",
                        "ended",
                        "namespace",
                        "function",
                        "version",
                        "node",
                        "requested_vcpus",
                        "requested_memory_bytes",
                        "requested_gpus",
                        "used_vcpus",
                        "used_memory_bytes",
                        "used_gpus",
                        "start_kind",
                        "start_phases",
                        "succeeded",
                        "failed",
                        "retried",
                        "elements",
                        "busy_millis",
                        "counters");
        assertThat(columns("requests"))
                .containsExactly(
                        "id",
                        "start_time",
                        "namespace",
                        "function",
                        "version",
                        "replica",
                        "succeeded",
                        "failed",
                        "retried",
                        "elements",
                        "busy_millis",
                        "counters");
    }

    private List<String> columns(String table) throws IOException {
        return ((SqlOutcome.Answer) sql.run("select * from " + table)).columns();
    }
}
