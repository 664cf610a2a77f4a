package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Two nodes of 4 CPUs and 16 GiB, priced by hand: 0.36 USD an hour on demand; on spot 0.12 until 02:00 and 0.18 then.
 *
 * <pre>
 * n1  on demand  00:00-02:00  2 x 0.36 = 0.72
 * n2  spot       01:00-03:00  0.12 + 0.18 = 0.30    on demand 0.72
 *
 * r1  shop/rank@1  1/2 of n1  00:00-01:00  1/2 x 0.36 = 0.18: 30 min of requests, so 0.09 use, 0.09 idle
 * r2  lab/embed@2  1/4 of n2  01:00-03:00  1/4 x 0.30 = 0.075, all use    on demand 0.18
 *
 * idle: n1 0.72 - 0.18 = 0.54, n2 0.30 - 0.075 = 0.225    on demand 0.54 and 0.54
 * </pre>
 */
final class Fleet {
    static final Period PERIOD = Period.past(at("00:00"), at("04:00"));
    static final NodeInterval N1 = node("n1", TestBook.TYPE, CapacityType.ON_DEMAND, "00:00", "02:00");
    static final NodeInterval N2 = node("n2", TestBook.TYPE, CapacityType.SPOT, "01:00", "03:00");
    static final ReplicaInterval R1 = replica(
            "r1",
            new FunctionVersion("shop", "rank", 1),
            N1,
            2,
            "00:00",
            "01:00",
            new Work(3600, 4, 5, 500_000, 1_800_000));
    static final ReplicaInterval R2 = replica(
            "r2", new FunctionVersion("lab", "embed", 2), N2, 1, "01:00", "03:00", new Work(100, 0, 0, 0, 7_200_000));
    static final UsageRows ROWS = new UsageRows(List.of(N1, N2), List.of(R1, R2));

    /** A node of a type without any price, and its replica. */
    static final NodeInterval N3 = node("n3", "unknown.large", CapacityType.ON_DEMAND, "00:00", "01:00");

    static final ReplicaInterval R3 =
            replica("r3", new FunctionVersion("lab", "odd", 1), N3, 1, "00:00", "01:00", Work.NONE);

    static final UsageRows WITHOUT_PRICE = new UsageRows(List.of(N1, N2, N3), List.of(R1, R2, R3));

    private Fleet() {}

    /** {@link #R1} with counters. */
    static ReplicaInterval counting(String id) {
        Counters counters = new Counters(Map.of("toy_tokens", 42L, "steps", 3L));
        Work work = new Work(3600, 4, 5, 500_000, 1_800_000, counters);
        return replica(id, new FunctionVersion("shop", "rank", 1), N1, 2, "00:00", "01:00", work);
    }

    /** {@link #R1} as a language model. */
    static ReplicaInterval writing(String id) {
        Counters counters =
                new Counters(Map.of("prompt_tokens", 1500L, "cached_tokens", 500L, "generated_tokens", 500L));
        Work work = new Work(3600, 4, 5, 0, 1_800_000, counters);
        return replica(id, new FunctionVersion("shop", "rank", 1), N1, 2, "00:00", "01:00", work);
    }

    static Instant at(String time) {
        return Instant.parse("2026-03-10T" + time + ":00Z");
    }

    static NodeInterval node(String id, String type, CapacityType capacity, String from, String until) {
        return node(id, type, capacity, Interval.of(at(from), at(until)));
    }

    static NodeInterval node(String id, String type, CapacityType capacity, Interval time) {
        String zone = capacity == CapacityType.SPOT ? "ust1-az2" : "ust1-az1";
        return new NodeInterval(
                id, "node " + id, "cpu", capacity, type, "us-test-1", zone, size(4), time, NodeEnd.RELEASED);
    }

    static ReplicaInterval replica(
            String id, FunctionVersion version, NodeInterval node, int quarters, String from, String until, Work work) {
        return replica(id, version, node, size(quarters), Interval.of(at(from), at(until)), Map.of(), work);
    }

    static ReplicaInterval replica(
            String id,
            FunctionVersion version,
            NodeInterval node,
            Resources size,
            Interval time,
            Map<String, Duration> phases,
            Work work) {
        return new ReplicaInterval(
                id,
                version.namespace(),
                version.function(),
                version.version(),
                node.id(),
                size,
                size,
                time,
                StartKind.COLD,
                phases,
                work,
                ReplicaEnd.STOPPED);
    }

    static Resources size(int quarters) {
        return new Resources(BigDecimal.valueOf(quarters), quarters * (4L << 30), 0);
    }

    static ScenarioResult priced(Scenario scenario, UsageRows rows, Period period) {
        return Scenarios.one(scenario, rows, period, new TestBook(), ScenarioOptions.DEFAULT);
    }

    static List<ScenarioResult> priced(UsageRows rows, Scenario... scenarios) {
        return Arrays.stream(scenarios)
                .map(scenario -> priced(scenario, rows, PERIOD))
                .toList();
    }

    /** As it ran, beside all on demand. */
    static CostTable table(Dimension dimension, UsageRows rows) {
        return table(dimension, ZoneOffset.UTC, rows, Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND);
    }

    static CostTable table(Dimension dimension, ZoneId zone, UsageRows rows, Scenario... scenarios) {
        return CostTable.of(dimension, zone, Scenario.AS_IT_RAN, rows, PERIOD, priced(rows, scenarios));
    }
}
