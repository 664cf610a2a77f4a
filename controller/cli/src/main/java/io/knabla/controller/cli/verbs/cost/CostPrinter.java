package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Console.Colour;
import io.knabla.controller.cli.print.Format;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Prints a cost report for people: its rows with a bar each, the other offers, budgets and notes. */
final class CostPrinter {
    private static final String BLOCK = "█";
    private static final Pattern BAR = Pattern.compile(BLOCK + "+");

    private final Context context;
    private final Console console;

    CostPrinter(Context context) {
        this.context = context;
        this.console = context.console();
    }

    /** Returns the budgets of the report. */
    JsonNode print(JsonNode report) {
        JsonNode rows = report.at("/table/rows");
        if (context.format() == Format.name) {
            rows.forEach(row -> console.print("%s", text(row, "group")));
            return report.path("budgets");
        }
        context.note(
                "from %s until %s (UTC), days of %s",
                text(report, "from"), text(report, "until"), text(report, "timeZone"));
        if (rows.isEmpty()) {
            context.note("No usage is recorded in this period.");
        } else {
            rows(report, rows);
            tokens(report.path("tokens"));
            offers(report.path("scenarios"));
        }
        budgets(report.path("budgets"));
        CostForecasts.printCompared(context, report.path("forecasts"));
        notes(report);
        return report.path("budgets");
    }

    private void rows(JsonNode report, JsonNode rows) {
        var table = Table.of(
                text(report, "by").toUpperCase(Locale.ROOT),
                ">USD",
                "",
                ">OF IT IDLE",
                ">ON DEMAND",
                ">SAVED",
                ">HOURS",
                ">REQUESTS",
                ">USD/1000");
        rows.forEach(row -> row(table, row));
        row(table, report.at("/table/total"));
        print(table);
    }

    private static void row(Table table, JsonNode row) {
        table.row(
                text(row, "group"),
                text(row, "cost"),
                BLOCK.repeat(row.path("bar").asInt()),
                text(row, "idle"),
                text(row, "onDemand"),
                text(row, "saved"),
                text(row, "replicaHours"),
                text(row, "requests"),
                text(row, "perThousandRequests"));
    }

    private void tokens(JsonNode tokens) {
        if (tokens.path("rows").isEmpty()) {
            return;
        }
        List<String> headings =
                new ArrayList<>(List.of("TOKENS OF", ">PROMPT", ">CACHED", ">GENERATED", ">USD/MILLION"));
        tokens.path("listPrices").forEach(name -> headings.add(">AT " + name.asText()));
        var table = Table.of(headings.toArray(String[]::new));
        for (JsonNode row : tokens.path("rows")) {
            List<String> cells = new ArrayList<>();
            List.of("group", "prompt", "cached", "generated", "perMillion").forEach(cell -> cells.add(text(row, cell)));
            row.path("atListPrices").forEach(price -> cells.add(price.asText()));
            table.row(cells.toArray());
        }
        console.print("");
        print(table);
    }

    private void offers(JsonNode scenarios) {
        var table = Table.of("THE SAME USAGE", ">USD", ">WITHOUT FREE TIER");
        scenarios.forEach(offer -> table.row(text(offer, "name"), text(offer, "cost"), text(offer, "withoutFreeTier")));
        console.print("");
        print(table);
    }

    private void budgets(JsonNode budgets) {
        if (budgets.isEmpty()) {
            return;
        }
        var table = Table.of("BUDGET", "PERIOD", ">SPENT", ">OF", ">SHARE", ">FORECAST", "STATE");
        for (JsonNode budget : budgets) {
            table.row(
                    text(budget, "subject"),
                    text(budget, "period"),
                    money(budget.path("spent")),
                    money(budget.path("amount")),
                    percent(budget.path("share")),
                    money(budget.path("forecast")),
                    state(budget));
        }
        console.print("");
        print(table);
    }

    private static String state(JsonNode budget) {
        String state = budget.path("exceeded").asBoolean() ? "exceeded" : "within";
        return budget.path("complete").asBoolean() ? state : state + ", prices are missing";
    }

    private void notes(JsonNode report) {
        report.path("notes").forEach(note -> context.note("%s", note.asText()));
        if (context.format() == Format.wide) {
            for (JsonNode offer : report.path("scenarios")) {
                offer.path("notes").forEach(note -> context.note("%s: %s", text(offer, "name"), note.asText()));
            }
        }
    }

    private void print(Table table) {
        table.toString()
                .lines()
                .map(line -> BAR.matcher(line).replaceAll(bar -> console.paint(Colour.GREEN, bar.group())))
                .forEach(line -> console.print("%s", line));
    }

    /** Four significant digits, or whole cents of larger amounts, as the platform writes the others. */
    static String money(JsonNode usd) {
        return usd.isNumber() ? Dollars.text(usd.decimalValue()) : "-";
    }

    /** Four digits after the point: an hour of a small node costs less than a cent. */
    static String dollars(JsonNode usd) {
        return usd.decimalValue().setScale(4, RoundingMode.HALF_EVEN).toPlainString();
    }

    static String percent(JsonNode share) {
        BigDecimal percent = share.decimalValue().movePointRight(2);
        return percent.setScale(0, RoundingMode.HALF_EVEN).toPlainString() + "%";
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }
}
