package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.LambdaUse;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One replica, an hour in March and an hour in April (UTC), with 3,200 requests of 1 s and 4 GB. */
class PerUseTest {
    private static final Interval TIME =
            Interval.of(Instant.parse("2026-03-31T23:00:00Z"), Instant.parse("2026-04-01T01:00:00Z"));
    private static final ReplicaInterval REPLICA =
            Rows.worked(Rows.replica("r", "f", "n", TIME), new Work(3_200, 0, 0, 0, 3_200_000), ReplicaEnd.STOPPED);
    private static final UsageRows ROWS = new UsageRows(
            List.of(TestNodes.node("n", CapacityType.ON_DEMAND, TIME, NodeEnd.RELEASED)), List.of(REPLICA));

    private static ScenarioResult priced(Map<YearMonth, LambdaUse> before) {
        ScenarioOptions options =
                new ScenarioOptions(ScenarioOptions.DEFAULT.architecture(), Optional.empty(), Map.of(), before);
        Period period = Period.past(TIME.start(), TIME.end().orElseThrow());
        return Scenarios.one(Scenario.PER_USE, ROWS, period, new TestBook(), options);
    }

    @Test
    void eachMonthHasItsOwnAllowance() {
        // A month: 1,600 requests, 1,595 free, 5 x 0.000002 = 0.00001
        //          1,600 s x 4 GB = 6,400 GB-seconds, 4,104 free, 2,296 x 0.00002 = 0.04592
        // Two months: 2 x 0.04593
        assertThat(priced(Map.of()).total()).isEqualByComparingTo("0.09186");
        // Without it a month is 1,600 x 0.000002 + 6,400 x 0.00002 = 0.1312; 2 x (0.1312 - 0.04593)
        assertThat(priced(Map.of()).freeTier()).isEqualByComparingTo("0.17054");
    }

    @Test
    void whatTheAccountUsedBeforeTakesTheAllowanceAndTheFirstTier() {
        LambdaUse used = new LambdaUse(1_595, new BigDecimal("54104"));
        // March: 1,600 x 0.000002 = 0.0032 and 6,400 x 0.00001 = 0.064; April as above 0.04593
        ScenarioResult result = priced(Map.of(YearMonth.of(2026, 3), used));
        assertThat(result.total()).isEqualByComparingTo("0.11313");
        // March had none left.
        assertThat(result.freeTier()).isEqualByComparingTo("0.08527");
        assertThat(result.assumptions())
                .contains(
                        new Assumption(Assumption.Kind.LAMBDA_USED_BEFORE, "2026-03", new BigDecimal("54104")),
                        new Assumption(Assumption.Kind.LAMBDA_USED_BEFORE, "2026-04", BigDecimal.ZERO));
    }

    @Test
    void aStartIsPaidAsOneInitInItsOwnMonth() {
        // 0.0005 s of boot and 99.5 s of load are 99.5005 s, so 99,501 ms; x 4 GB = 398.004 GB-seconds
        // March: 6,400 + 398.004 - 4,104 = 2,694.004 x 0.00002 = 0.05388008, and 0.00001 of requests
        // April: 0.04593; placing and fetching are not paid
        Map<String, Duration> phases = Map.of(
                "place", Duration.ofSeconds(20),
                "fetch", Duration.ofSeconds(30),
                "boot", Duration.ofNanos(500_000),
                "load", Duration.ofMillis(99_500));
        ReplicaInterval started = Rows.replica("s", "f", "n", TIME).withStartPhases(phases);
        UsageRows both = new UsageRows(ROWS.nodes(), List.of(REPLICA, started));
        Period all = Period.past(TIME.start(), TIME.end().orElseThrow());
        ScenarioResult result = Scenarios.one(Scenario.PER_USE, both, all, new TestBook(), ScenarioOptions.DEFAULT);
        assertThat(result.total()).isEqualByComparingTo("0.09982008");
        // 0.05388008 x 398.004/6,798.004 = 0.003154527 (to 9 digits)
        assertThat(result.of(CostPart.COLD_START).setScale(9, RoundingMode.HALF_UP))
                .isEqualByComparingTo("0.003154527");
        Period april =
                Period.past(Instant.parse("2026-04-01T00:00:00Z"), TIME.end().orElseThrow());
        assertThat(Scenarios.one(Scenario.PER_USE, both, april, new TestBook(), ScenarioOptions.DEFAULT)
                        .total())
                .isEqualByComparingTo("0.04593");
    }

    @Test
    void thePricesNameTheArchitecture() {
        assertThat(priced(Map.of()).prices())
                .extracting(UsedPrice::subject)
                .containsExactlyInAnyOrder(
                        "a request of Lambda us-test-1 x86_64",
                        "a GB-second of Lambda us-test-1 x86_64 up to 54,104",
                        "a GB-second of Lambda us-test-1 x86_64 without bound");
    }

    @Test
    void workOutsideOfThePeriodIsLeftOutAndStated() {
        Period april =
                Period.past(Instant.parse("2026-04-01T00:00:00Z"), TIME.end().orElseThrow());
        ScenarioResult result = Scenarios.one(Scenario.PER_USE, ROWS, april, new TestBook(), ScenarioOptions.DEFAULT);
        assertThat(result.total()).isEqualByComparingTo("0.04593");
        assertThat(result.assumptions())
                .contains(new Assumption(Assumption.Kind.WORK_SPREAD_EVENLY, "", BigDecimal.ONE));
    }
}
