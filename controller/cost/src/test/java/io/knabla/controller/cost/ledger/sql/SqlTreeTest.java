package io.knabla.controller.cost.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.duckdb.DuckDb;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Collections;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bound, with the largest query within it and the smallest beyond. */
class SqlTreeTest {
    private static Optional<String> fault(String query) throws Exception {
        try (DuckDb database = DuckDb.open(new Properties());
                PreparedStatement parse = database.prepare("SELECT json_serialize_sql(CAST(? AS VARCHAR))")) {
            parse.setString(1, query);
            try (ResultSet tree = parse.executeQuery()) {
                tree.next();
                return SqlTree.read(tree.getString(1)).fault();
            }
        }
    }

    private static String repeated(int times, String text, String between) {
        return String.join(between, Collections.nCopies(times, text));
    }

    private static String query(String kind, int times) {
        return switch (kind) {
            case "union" -> repeated(times + 1, "select 1", " union all ");
            case "recursion" -> "with recursive r as (" + query("union", times) + ") select 1";
            case "from" -> "select 1 from " + repeated(times, "nodes", ", ");
            case "star" -> "select " + repeated(times, "*", ", ") + " from nodes";
            case "exists" ->
                "select 1 where " + repeated(times - 1, "exists (select 1 where ", "") + "true"
                        + repeated(times - 1, ")", "");
            case "scalar" -> "select " + repeated(times - 1, "(select ", "") + "1" + repeated(times - 1, ")", "");
            case "plus" -> "select " + repeated(times, "(1 + ", "") + "1" + repeated(times, ")", "");
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "union, 32, 33 UNIONs; INTERSECTs; EXCEPTs and recursions; at most 32",
        "recursion, 32, 33 UNIONs; INTERSECTs; EXCEPTs and recursions; at most 32",
        "from, 32, 33 tables in its FROMs; at most 32",
        "star, 9, 9 *s beside another one; at most 8",
        "exists, 8, 9 SELECTs within each other; at most 8",
        "scalar, 8, 9 SELECTs within each other; at most 8"
    })
    void countsWhatAQueryConsistsOf(String kind, int most, String sentence) throws Exception {
        assertThat(fault(query(kind, most))).isEmpty();
        assertThat(fault(query(kind, most + 1)).orElseThrow().replace(',', ';')).contains(sentence);
    }

    @Test
    void countsTablesOfWith() throws Exception {
        assertThat(fault(withs(16))).isEmpty();
        assertThat(fault(withs(17))).hasValueSatisfying(it -> assertThat(it).contains("17 tables in its WITHs"));
    }

    private static String withs(int times) {
        return IntStream.range(0, times)
                .mapToObj(i -> "t%d as (select 1)".formatted(i))
                .collect(Collectors.joining(", ", "with ", " select 1"));
    }

    /** What a level holds is left with it. */
    @Test
    void selectsBesideEachOtherAreNotWithinEachOther() throws Exception {
        assertThat(fault("select " + repeated(20, "(select 1)", ", "))).isEmpty();
        assertThat(fault("select * from " + repeated(20, "(values (1))", ", "))).isEmpty();
    }

    @Test
    void refusesDeepExpressions() throws Exception {
        assertThat(fault(query("plus", 100))).isEmpty();
        assertThat(fault(query("plus", 900)))
                .hasValue("the query is nested too deeply; write it with fewer parentheses");
    }
}
