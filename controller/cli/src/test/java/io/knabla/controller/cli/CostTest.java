package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {
    private static final String REPORT = """
            {"from": "2026-11-22T00:00:00Z", "until": "2026-11-23T00:00:00Z", "timeZone": "UTC", "by": "function",
             "table": {
               "rows": [{"group": "shop/resize", "bar": 20, "replicaHours": "1.00", "requests": "1000",
                         "cost": "0.0504", "idle": "0.0252", "onDemand": "0.1008", "saved": "50.0%%", "perThousandRequests": "0.0504"},
                        {"group": "(idle)", "bar": 1, "replicaHours": "0.00", "requests": "0",
                         "cost": "no price", "idle": "-", "onDemand": "-", "saved": "-", "perThousandRequests": "-"}],
               "total": {"group": "total", "bar": 0, "replicaHours": "1.00", "requests": "1000",
                         "cost": "0.0504*", "idle": "0.0252", "onDemand": "-", "saved": "-", "perThousandRequests": "-"}},
             "tokens": {"listPrices": ["some API"], "rows": [
                 {"group": "shop/writer", "prompt": "1500", "cached": "500", "generated": "500", "perMillion": "90.00",
                  "atListPrices": ["1.00"]}]},
             "scenarios": [{"name": "as-it-ran", "cost": "0.0504*", "notes": ["of this offer"]},
                           {"name": "per-use", "cost": "0.0012", "withoutFreeTier": "0.3401", "notes": []}],
             "notes": ["not in the sum: no on demand price for box us-east-1 (1 times)"],
             "budgets": [{"subject": "function shop/resize", "period": "day", "amount": 0.05, "spent": 0.0504,
                          "share": 1.008, "forecast": 0.1, "complete": false, "exceeded": %s}]}
            """;
    private static final String TABLE = "GET /api/v1/costs?format=table&tz=UTC";

    private final FakePlatform platform = new FakePlatform();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult run(String... args) {
        List<String> all = new ArrayList<>(List.of("cost"));
        all.addAll(List.of(args));
        all.addAll(List.of("--tz", "UTC", "--server", platform.url()));
        return CommandResult.knabla(all.toArray(String[]::new));
    }

    @Test
    void printsRowsOffersBudgetsAndNotes() {
        platform.on(TABLE, Reply.ok(REPORT.formatted("true")));

        CommandResult cost = run();

        assertThat(cost.status()).isZero();
        assertThat(cost.out().lines())
                .anyMatch(line -> line.matches("TOKENS OF +PROMPT +CACHED +GENERATED +USD/MILLION +AT some API"))
                .anyMatch(line -> line.matches("shop/writer +1500 +500 +500 +90.00 +1.00"))
                .anyMatch(
                        line -> line.matches("FUNCTION +USD +OF IT IDLE +ON DEMAND +SAVED +HOURS +REQUESTS +USD/1000"))
                .anyMatch(line -> line.matches("shop/resize +0.0504 +█{20} +0.0252 +0.1008 +50.0% +1.00 +1000 +0.0504"))
                .anyMatch(line -> line.startsWith("total"))
                .anyMatch(line -> line.matches("THE SAME USAGE +USD +WITHOUT FREE TIER"))
                .anyMatch(line -> line.matches("per-use +0.0012 +0.3401"))
                .anyMatch(line -> line.matches(
                        "function shop/resize +day +0.0504 +0.05 +101% +0.10 +exceeded, prices are missing"));
        assertThat(cost.err()).contains("no on demand price for box us-east-1").doesNotContain("of this offer");
        assertThat(run("-o", "wide").err()).contains("as-it-ran: of this offer");
        assertThat(run("-o", "name").out().lines()).containsExactly("shop/resize", "(idle)");
    }

    @Test
    void exitsWith3OverABudget() {
        platform.on(TABLE, Reply.ok(REPORT.formatted("true")), Reply.ok(REPORT.formatted("false")));

        CommandResult over = run("--check");

        assertThat(over.status()).isEqualTo(ExitCodes.OVER_BUDGET);
        assertThat(over.err()).contains("the function shop/resize has spent 0.0504 of its 0.05 USD of this day");
        assertThat(run("--check").status()).isZero();
    }

    @Test
    void smallBudgetsKeepFourDigits() {
        String small = REPORT.formatted("true")
                .replace("\"amount\": 0.05, \"spent\": 0.0504", "\"amount\": 0.0123, \"spent\": 0.001234567")
                .replace("\"forecast\": 0.1,", "\"forecast\": 1234.567,");
        platform.on(TABLE, Reply.ok(small));

        CommandResult cost = run("--check");

        assertThat(cost.out()).containsPattern("function shop/resize +day +0.001235 +0.0123 +101% +1234.57 ");
        assertThat(cost.err()).contains("has spent 0.001235 of its 0.0123 USD");
    }

    @Test
    void passesItsOptionsOn() {
        platform.on(
                "GET /api/v1/costs?by=day&format=csv&from=7d&scenario=per-use&to=2026-11-23T08%3A00%3A00%2B01%3A00&tz=UTC",
                new Reply(200, Map.of("Knabla-Usage-Damages", "2"), "dimension,group\r\n"));

        CommandResult csv = run(
                "--by",
                "day",
                "--from",
                "7d",
                "--to",
                "2026-11-23T08:00:00+01:00",
                "--scenario",
                "per-use",
                "-o",
                "csv");

        assertThat(csv.out()).isEqualTo("dimension,group\r\n");
        assertThat(csv.err()).contains("2 parts of the usage could not be read");
    }

    @Test
    void passesANamedPeriodOn() {
        platform.on(
                "GET /api/v1/costs?by=month&format=csv&period=last%20month&tz=UTC", new Reply(200, Map.of(), "csv"));

        assertThat(run("--period", "last month", "--by", "month", "-o", "csv").out())
                .isEqualTo("csv");
    }

    @Test
    void shellsCompleteItsWords() {
        for (String shell : List.of("bash", "fish")) {
            assertThat(CommandResult.knabla("completion", shell).out())
                    .as(shell)
                    .containsPattern("today.+yesterday.+this-month.+last-month")
                    .containsPattern("zone.+month.+day.+hour");
        }
    }

    @Test
    void sendsAScenarioFile() throws IOException {
        Path file = Files.writeString(folder.resolve("offers.yaml"), "architecture: arm64\n");
        platform.on("POST /api/v1/costs?format=json&tz=UTC", Reply.ok("{\"usd\": 0.123456789012345678}"));

        CommandResult json = run("--scenario", file.toString(), "-o", "json");

        assertThat(json.out()).contains("0.123456789012345678");
        assertThat(platform.asked("POST /api/v1/costs?format=json&tz=UTC").text())
                .isEqualTo("architecture: arm64\n");
    }

    @Test
    void refusesWrongUse() {
        assertThat(run("-o", "pdf").err()).contains("'pdf' is no format for -o");
        assertThat(run("-o", "csv", "--check").status()).isEqualTo(ExitCodes.USAGE_ERROR);
        assertThat(run("-n", "shop").err()).contains("--by namespace");
        assertThat(run("--watch", "--interval", "soon").err()).contains("is no duration");
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void watchesUntilThePlatformEnds() {
        String now = """
                {"nodes": 2, "perHour": 0.2016, "perHourComplete": true, "today": 1.5, "todayComplete": false,
                 "budgets": [{"subject": "namespace lab", "period": "month", "share": 0.42}]}
                """;
        platform.on("GET /api/v1/costs/now?tz=UTC", Reply.ok(now), Reply.status(503, "{}"), Reply.status(500, "{}"));

        CommandResult watch = run("--watch", "--interval", "1ms");

        assertThat(watch.err())
                .contains("now 0.2016 USD an hour for 2 nodes, today 1.5000 USD (prices are missing),"
                        + " namespace lab 42% of its month");
        assertThat(watch.status()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void analyzeForecastsAtARate() {
        platform.on("POST /api/v1/costs/forecast", Reply.ok("""
                        {"month": "2026-10", "replicas": 2, "nodes": 1, "node": "m7i.large in use1-az1",
                         "offers": [{"name": "all-spot", "cost": "23.40", "notes": ["assumed: b"]}]}
                        """));
        String model = "../../functions/samples/add-sub/add-sub.onnx";

        CommandResult table = CommandResult.knabla("analyze", model, "--rate", "90/m", "--server", platform.url());

        assertThat(table.status()).isZero();
        assertThat(table.out()).containsPattern("all-spot +23.40");
        assertThat(table.err()).contains("replicas: 2, busy for 70% of their time", "all-spot: assumed: b");
        assertThat(platform.asked("POST /api/v1/costs/forecast").text()).contains("\"perSecond\" : 1.5");
        assertThat(CommandResult.knabla("analyze", model, "--rate", "fast", "--server", platform.url())
                        .err())
                .contains("'fast' is no rate");
    }

    @Test
    void comparesForecastsThatAreAWeekOld() {
        platform.on(TABLE, Reply.ok("""
                {"from": "a", "until": "b", "timeZone": "UTC", "by": "function", "table": {"rows": []},
                 "forecasts": [
                  {"function": "shop/resize", "at": "2026-11-01T08:00:00Z", "state": "compared", "error": -0.2512,
                   "usdPerDay": {"forecast": 1.209600000, "actual": 0.905712345},
                   "perSecond": {"forecast": 20, "actual": 15.03}, "seconds": {"forecast": 0.05, "actual": 0.04}},
                  {"function": "shop/box", "at": "2026-11-01T08:00:00Z", "state": "no-price", "usdPerDay": {},
                   "perSecond": {"forecast": 1, "actual": 0.000000000}, "seconds": {"forecast": 0.05}},
                  {"function": "shop/new", "at": "2026-11-20T08:00:00Z", "state": "too-early"}]}
                """));

        CommandResult cost = run();

        assertThat(cost.out().lines())
                .anyMatch(line -> line.matches("shop/resize +1.21 +0.9057 +-25% +20 +15.03 +0.05 +0.04"))
                .anyMatch(line -> line.matches("shop/box +- +- +no price +1 +0 +0.05 +-"))
                .noneMatch(line -> line.contains("shop/new"));
        assertThat(cost.err()).contains("the forecast for shop/new of 2026-11-20 is compared when it is 7 days old");
    }

    @Test
    void runsSql() {
        platform.on(
                "POST /api/v1/costs/sql?tz=UTC",
                Reply.ok("{\"columns\": [\"f\", \"n\"], \"rows\": [[\"resize\", 7], [null, 1.50]], \"cut\": true}"));

        CommandResult sql = run("sql", "select 1");

        assertThat(sql.out().lines()).containsExactly("f       n", "resize  7", "        1.5");
        assertThat(sql.err()).contains("there are more rows");
        assertThat(platform.asked("POST /api/v1/costs/sql?tz=UTC").text()).isEqualTo("select 1");
        assertThat(run("sql", "--help").out()).contains("nodes: ", "replicas: ", "requests: ", "costs: ", "prices: ");
    }

    @Test
    void aQueryMayBeginWithAComment() {
        platform.on(
                "POST /api/v1/costs/sql?period=last%20month&tz=UTC",
                new Reply(
                        200,
                        Map.of("Knabla-Usage-Period", "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z"),
                        "{\"columns\": [\"n\"], \"rows\": [[1]], \"cut\": false}"));

        CommandResult sql = run("sql", "-- all of it\nselect 1 as n", "--period=last month");

        assertThat(sql.out().lines()).containsExactly("n", "1");
        assertThat(platform.asked("POST /api/v1/costs/sql?period=last%20month&tz=UTC")
                        .text())
                .isEqualToIgnoringWhitespace("-- all of it\nselect 1 as n");
        assertThat(sql.err()).contains("usage of 2026-10-01T00:00:00Z until 2026-11-01T00:00:00Z (UTC)");
        assertThat(run("sql", "select 1", "--form", "7d").status()).isEqualTo(ExitCodes.USAGE_ERROR);
    }
}
