package io.knabla.controller.cost.ledger.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Counts what a parsed query consists of, as {@code json_serialize_sql} writes it. Without bounds on these, a query of
 * a few hundred characters takes gigabytes, or does not end, before DuckDB compares it with any limit: a level that
 * selects {@code *} three times triples the columns, and a level of EXISTS doubles the time of planning (1.4.2).
 */
final class SqlTree {
    /** Levels of JSON; about three for each level of an expression. */
    private static final int MOST_LEVELS = 900;

    private final Set<String> functions = new TreeSet<>();
    private final Deque<Level> open = new ArrayDeque<>();
    private int levels;
    private int setOperations;
    private int withTables;
    private int tables;
    private int repeatedStars;
    private int nested;
    private int deepest;

    /** An object that is being read: whether it is a SELECT, and how often that has {@code *}. */
    private static final class Level {
        private boolean select;
        private int stars;
    }

    private SqlTree() {}

    static SqlTree read(String json) {
        SqlTree tree = new SqlTree();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            while (tree.levels <= MOST_LEVELS && parser.nextToken() != null) {
                tree.see(parser);
            }
            return tree;
        } catch (StreamConstraintsException deep) {
            tree.levels = Integer.MAX_VALUE;
            return tree;
        } catch (IOException impossible) {
            throw new UncheckedIOException("DuckDB wrote no JSON", impossible);
        }
    }

    private void see(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                levels++;
                open.push(new Level());
            }
            case END_OBJECT -> {
                levels--;
                nested -= open.pop().select ? 1 : 0;
            }
            case START_ARRAY -> levels++;
            case END_ARRAY -> levels--;
            case VALUE_STRING -> text(parser.currentName(), parser.getText());
        }
    }

    private void text(String field, String value) {
        if ("function_name".equals(field) && !value.isEmpty()) {
            functions.add(value);
        } else if ("type".equals(field)) {
            type(value);
        } else if ("materialized".equals(field)) {
            withTables++;
        }
    }

    private void type(String type) {
        switch (type) {
            case "SELECT_NODE" -> {
                open.getFirst().select = true;
                nested++;
                deepest = Math.max(deepest, nested);
            }
            case "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE" -> setOperations++;
            case "BASE_TABLE" -> tables++;
            case "STAR" -> star();
        }
    }

    /** The first one of a SELECT is as long as what it reads, so only the others count. */
    private void star() {
        for (Level level : open) {
            if (level.select) {
                repeatedStars += level.stars > 0 ? 1 : 0;
                level.stars++;
                return;
            }
        }
    }

    /** Returns why the query is refused, and what is allowed. */
    Optional<String> fault() {
        if (levels > MOST_LEVELS) {
            return Optional.of("the query is nested too deeply; write it with fewer parentheses");
        }
        Set<String> other = SqlFunctions.notAllowed(functions);
        if (!other.isEmpty()) {
            return Optional.of("these functions are not allowed: %s; allowed are %s"
                    .formatted(String.join(" ", other), SqlFunctions.names()));
        }
        return Stream.of(
                        new Bound("UNIONs, INTERSECTs, EXCEPTs and recursions", setOperations, 32),
                        new Bound("tables in its WITHs", withTables, 16),
                        new Bound("tables in its FROMs", tables, 32),
                        new Bound("*s beside another one", repeatedStars, 8),
                        new Bound("SELECTs within each other", deepest, 8))
                .filter(Bound::isExceeded)
                .map(Bound::sentence)
                .findFirst();
    }

    private record Bound(String counted, int found, int most) {
        boolean isExceeded() {
            return found > most;
        }

        String sentence() {
            return "the query has %d %s; at most %d are allowed, so ask in several queries"
                    .formatted(found, counted, most);
        }
    }
}
