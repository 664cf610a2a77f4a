package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.query.CostService;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An m7i.large in us-east-1 costs 0.1008 USD an hour; each test has its own day of usage. */
@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class CostsApiAppTest {
    private static final String API = "/api/v1/costs";
    private static final Resources NODE = new Resources(BigDecimal.TWO, 8L << 30, 0);
    private static final Resources HALF = new Resources(BigDecimal.ONE, 4L << 30, 0);
    private static final Instant NOON = Instant.parse("2026-09-01T12:00:00Z");
    private static final String DAY = "?from=2026-09-01&to=2026-09-02&tz=UTC";

    @Inject
    Ledger ledger;

    @Inject
    CostService costs;

    @Inject
    ObjectStore store;

    /** Rows of the same ids change nothing, so each test may write them. */
    @BeforeEach
    void writeUsage() {
        ledger.append(List.of(
                node("n1", "m7i.large", NOON), node("n2", "box", NOON.plus(Duration.ofDays(1))), replica("r1", NOON)));
    }

    private static UsageRecord node(String id, String type, Instant start) {
        Interval time = Interval.of(start, start.plus(Duration.ofHours(1)));
        return new UsageRecord.Node(
                new NodeInterval(
                        id,
                        "node " + id,
                        "cpu",
                        CapacityType.ON_DEMAND,
                        type,
                        "us-east-1",
                        "use1-az1",
                        NODE,
                        time,
                        NodeEnd.RELEASED),
                1);
    }

    private static UsageRecord replica(String id, Instant start) {
        return new UsageRecord.Replica(
                new ReplicaInterval(
                        id,
                        "shop",
                        "resize",
                        1,
                        "n1",
                        HALF,
                        HALF,
                        Interval.of(start, start.plus(Duration.ofHours(1))),
                        StartKind.COLD,
                        Map.of(),
                        new Work(1000, 0, 0, 5000, 3_600_000),
                        ReplicaEnd.STOPPED),
                1);
    }

    private static ValidatableResponse get(String query) {
        return given().get(API + query).then();
    }

    private static BigDecimal decimal(ValidatableResponse report, String path) {
        return new BigDecimal(report.extract().jsonPath().getString(path));
    }

    @Test
    void reportsWhatAFunctionCost() {
        ValidatableResponse report = get(DAY).statusCode(200)
                .header("Knabla-Usage-Damages", "0")
                .body("rows.group", equalTo(List.of("shop/resize", "(idle)")))
                .body("scenarios.scenario", hasItem("COMMITTED_3Y"))
                .body("scenarios[0].prices.quality", hasItem("HISTORY"))
                .body("damages", empty())
                .body("budgets", empty());

        assertThat(decimal(report, "rows[0].cost.usd")).isEqualByComparingTo("0.0504");
        assertThat(decimal(report, "total.cost.usd")).isEqualByComparingTo("0.1008");
    }

    @Test
    void answersInEveryFormat() {
        String csv = get(DAY + "&format=csv")
                .statusCode(200)
                .contentType(startsWith("text/csv"))
                .extract()
                .asString();
        assertThat(csv.lines()).hasSize(3).first().asString().startsWith("dimension,group,");
        String focus = get(DAY + "&format=focus").statusCode(200).extract().asString();
        assertThat(focus)
                .contains("BilledCost", "Amazon Elastic Compute Cloud", "shop", store.location())
                .doesNotContain("unknown");
        get(DAY + "&format=table&by=zone")
                .statusCode(200)
                .body("by", equalTo("zone"))
                .body("table.rows[0].group", equalTo("use1-az1"))
                .body("table.rows[0].cost", equalTo("0.1008"))
                .body("scenarios.name", hasItem("per-use"))
                // 3,600 s x 4 GB within the free tier, and without it x 0.0000166667 + 1,000 x 0.0000002
                .body("scenarios.find { it.name == 'per-use' }.cost", equalTo("0.00"))
                .body("scenarios.find { it.name == 'per-use' }.withoutFreeTier", equalTo("0.2402"))
                .body("notes", hasItem(startsWith("prices: 1 history, from")));
    }

    @Test
    void namesUsageWithoutAPriceAndTakesOneFromAScenarioFile() {
        String day = "?from=2026-09-02&to=2026-09-03&tz=UTC&by=pool";
        get(day).statusCode(200)
                .body("rows[0].cost.missing", hasItem("NO_ON_DEMAND_PRICE"))
                .body("scenarios[0].complete", equalTo(false));
        get(day + "&format=table").body("notes", hasItem(containsString("no on demand price for box us-east-1")));

        ValidatableResponse priced = given().contentType("application/yaml")
                .body("prices: [{offer: OnDemand, instanceType: box, perHour: 0.25}]".getBytes(StandardCharsets.UTF_8))
                .post(API + day)
                .then()
                .statusCode(200);
        assertThat(decimal(priced, "total.cost.usd")).isEqualByComparingTo("0.25");
    }

    @Test
    void tellsAllFaultsAtOnce() {
        get("?from=x&by=colour&format=pdf&format=csv&colour=red")
                .statusCode(400)
                .contentType("application/problem+json")
                .body("faults.path", containsInAnyOrder("from", "by", "format", "format", "colour"));
        get("/now?tz=Moon").statusCode(400);
    }

    @Test
    void namesWhatItCouldNotReadOfTheLedger() throws IOException {
        var broken = new ObjectKey("usage/manifests/2026/08/05/07.json");
        store.write(broken, Content.of("{".getBytes(StandardCharsets.UTF_8)));
        try {
            get("?from=2026-08-05&to=2026-08-06&tz=UTC")
                    .statusCode(200)
                    .header("Knabla-Usage-Damages", "1")
                    .body("damages.name", hasItem(broken.path()));
            get("/damages").statusCode(200).body("items.name", hasItem(broken.path()));
        } finally {
            store.delete(broken);
        }
    }

    private static ValidatableResponse sql(String select) {
        return given().contentType("text/plain")
                .body(select)
                .post(API + "/sql" + DAY)
                .then();
    }

    @Test
    void runsASelectOverTheUsage() {
        sql("select function, succeeded from replicas")
                .statusCode(200)
                .body("columns", equalTo(List.of("function", "succeeded")))
                .body("rows", equalTo(List.of(List.of("resize", 1000))))
                .body("cut", equalTo(false));
        sql("select usd_per_hour, capacity from Prices where instance_type = 'm7i.large' and region = 'us-east-1'"
                        + " and valid_from = '2026-07-20 13:44:30' and source like '%karpenter%'")
                .statusCode(200)
                .body("rows", equalTo(List.of(List.of(0.1008f, "ON_DEMAND"))));
        sql("drop table nodes").statusCode(400).body("detail", containsString("only one SELECT"));
    }

    private static JsonPath exact(ValidatableResponse answer) {
        return answer.statusCode(200)
                .extract()
                .jsonPath(JsonPathConfig.jsonPathConfig().numberReturnType(NumberReturnType.BIG_DECIMAL));
    }

    private static String plain(Object usd) {
        return new BigDecimal(usd.toString()).stripTrailingZeros().toPlainString();
    }

    /** Dollars as the report has them, by row. */
    private static Map<String, String> reported(String by) {
        List<Map<String, Object>> rows = exact(get(DAY + "&by=" + by)).getList("rows");
        Map<String, String> reported = rows.stream()
                .collect(Collectors.toMap(
                        row -> (String) row.get("group"), row -> plain(((Map<?, ?>) row.get("cost")).get("usd"))));
        reported.values().removeIf("0"::equals);
        return reported;
    }

    /** The first column, and dollars in the second. */
    private static Map<String, String> selected(String query) {
        List<List<Object>> rows = exact(sql(query)).getList("rows");
        return rows.stream().collect(Collectors.toMap(row -> (String) row.getFirst(), row -> plain(row.getLast())));
    }

    @Test
    void aTableHasTheDollarsOfTheReport() {
        assertThat(selected("select strftime(hour, '%Y-%m-%dT%H:00+00:00'), sum(usd) from costs group by all"))
                .isEqualTo(reported("hour"))
                .containsValue("0.1008");
        assertThat(selected(
                        "select if(function = 'resize', 'shop/resize', '(idle)'), sum(usd) from costs group by all"))
                .isEqualTo(reported("function"))
                .containsEntry("shop/resize", "0.0504");
        assertThat(selected("select if(version = 1, 'shop/resize@1', '(idle)'), sum(usd) from costs group by all"))
                .isEqualTo(reported("version"));
    }

    @Test
    void showsEveryTableAndWhichUsageTheyHave() {
        sql("show tables")
                .header("Knabla-Usage-Period", "2026-09-01T00:00:00Z/2026-09-02T00:00:00Z")
                .body("rows.flatten()", equalTo(List.of("costs", "nodes", "prices", "replicas", "requests")));
        sql("describe costs").body("rows.collect { it[0] }", hasItems("hour", "function", "usd", "complete"));
    }

    @Test
    void reportsMonths() {
        get("?from=2026-09-01&to=2026-10-01&tz=UTC&by=month")
                .statusCode(200)
                .body("dimension", equalTo("MONTH"))
                .body("rows.group", equalTo(List.of("2026-09")));
        get("?period=last month").statusCode(200);
    }

    @Test
    void makesOnlyTwoReportsAtOnce() throws IOException {
        costs.tryRun(() -> costs.tryRun(() -> get(DAY).statusCode(503).header("Retry-After", "5")));
        get(DAY).statusCode(200);
    }

    private static ValidatableResponse forecast(String body) {
        return given().contentType("application/json")
                .body(body)
                .post(API + "/forecast")
                .then();
    }

    @Test
    void forecastsOnNodesLikeThoseThatRan() {
        ledger.append(List.of(node("n-lately", "m7i.large", Instant.now().minus(Duration.ofDays(1)))));

        forecast("{\"perSecond\": 20, \"seconds\": 0.05, \"vcpus\": 1, \"memoryBytes\": 1000000000}")
                .statusCode(200)
                .body("replicas", equalTo(2))
                .body("node", equalTo("m7i.large in use1-az1"))
                .body("offers.name", hasItem("per-use"));
        forecast("{\"perSecond\": -1, \"seconds\": \"x\", \"rate\": 1}")
                .statusCode(400)
                .body("faults.path", containsInAnyOrder("perSecond", "seconds", "vcpus", "memoryBytes", "rate"));
        forecast("{\"perSecond\": 1, \"seconds\": 1, \"vcpus\": 100, \"memoryBytes\": 1}")
                .statusCode(400)
                .body("detail", containsString("choose a larger node"));
    }

    @Test
    void tellsWhatIsPaidNow() {
        Instant start = Instant.now().minus(Duration.ofMinutes(1));
        var running = ((UsageRecord.Node) node("n-now", "m7i.large", start)).interval();
        ledger.append(List.of(new UsageRecord.Node(
                new NodeInterval(
                        running.id(),
                        running.name(),
                        running.pool(),
                        running.capacity(),
                        running.instanceType(),
                        running.region(),
                        running.zoneId(),
                        running.size(),
                        new Interval(start, Optional.empty()),
                        NodeEnd.RUNNING),
                1)));

        // The platform's own nodes have the price of a reference.
        ValidatableResponse now = get("/now?tz=UTC")
                .statusCode(200)
                .body("nodes", greaterThanOrEqualTo(1))
                .body("perHourComplete", equalTo(true));

        assertThat(decimal(now, "perHour")).isGreaterThan(new BigDecimal("0.1008"));
    }

    @Test
    void tellsHowOldPricesAreAndWhatHasNone() throws IOException {
        var last = new ObjectKey("prices/refreshed.json");
        String refresh = "{\"at\": \"2026-11-01T00:00:00Z\", \"prices\": 3, \"failures\": [\"no rights\"]}";
        store.write(last, Content.of(refresh.getBytes(StandardCharsets.UTF_8)));
        ledger.append(List.of(node("n-unpriced", "abacus", Instant.now().minus(Duration.ofHours(2)))));
        try {
            get("/prices")
                    .statusCode(200)
                    .body("newest", equalTo("2026-11-01T00:00:00Z"))
                    .body("refreshing", equalTo(false))
                    .body("lastRefresh.failures", equalTo(List.of("no rights")))
                    .body("unpriced", hasItem("abacus"))
                    .body("unpriced", not(hasItem("m7i.large")))
                    .body("damages", empty());
        } finally {
            store.delete(last);
        }
        get("/prices").body("newest", equalTo("2026-07-20T13:44:30Z")).body("lastRefresh", nullValue());
    }

    @Test
    void htmlIsOnePageWithItsData() {
        String page = given().get(API + DAY + "&format=html")
                .then()
                .statusCode(200)
                .contentType("text/html")
                .header("Content-Security-Policy", containsString("connect-src 'none'"))
                .extract()
                .asString();
        assertThat(page).startsWith("<!doctype html>").contains("\"group\":\"shop/resize\"", "connect-src 'none'");
    }

    @Test
    void theLivePageHasNoDataButAsksForIt() {
        String page = given().get("/costs" + DAY)
                .then()
                .statusCode(200)
                .contentType("text/html")
                .header("Content-Security-Policy", containsString("connect-src 'self'"))
                .header("Content-Security-Policy", endsWith("; frame-ancestors 'none'"))
                .extract()
                .asString();
        assertThat(page)
                .contains("connect-src 'self'", "/api/v1/costs?format=page-data")
                .doesNotContain("shop/resize");
        assertThat(page).hasSizeLessThan(50_000);
        given().get(API + DAY + "&format=page-data").then().statusCode(200).body("bars.step", equalTo("HOUR"));
    }
}
