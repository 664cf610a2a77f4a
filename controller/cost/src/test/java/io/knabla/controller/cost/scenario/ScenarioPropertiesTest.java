package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Random rows over two days, good and bad ones, to the millisecond. */
class ScenarioPropertiesTest {
    private static final Instant FROM = TestNodes.MIDNIGHT;
    private static final Instant UNTIL = FROM.plus(Duration.ofDays(2));
    private static final long MILLIS = Duration.between(FROM, UNTIL).toMillis();

    /** Minimums and tiers need more than the period: see {@link #perSecondRulesAreAdditive}. */
    private static final Set<Scenario> PER_SECOND =
            EnumSet.of(Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND, Scenario.FARGATE);

    @Property(tries = 100)
    void everyScenarioAddsUpForAnyRows(@ForAll long seed) {
        // Scenarios.all throws if one does not add up; the check here is on its own arithmetic.
        for (ScenarioResult result : priced(rows(seed), FROM, UNTIL)) {
            BigDecimal lines =
                    Dollars.sum(result.lines().stream().map(CostLine::usd).toList());
            assertThat(lines).as(result.scenario().name()).isEqualByComparingTo(result.total());
            assertThat(Conservation.check(result)).isEmpty();
            for (NodeAllocation node : result.nodes()) {
                BigDecimal allocated = Dollars.sum(node.replicas().stream()
                        .flatMap(replica -> replica.parts().values().stream())
                        .toList());
                assertThat(allocated.add(node.idle()).add(node.overhead()))
                        .isEqualByComparingTo(node.bill().total());
            }
        }
    }

    @Property(tries = 100)
    void noPartOfAnyScenarioIsNegative(@ForAll long seed) {
        for (ScenarioResult result : priced(rows(seed), FROM, UNTIL)) {
            assertThat(result.total().signum()).isNotNegative();
            assertThat(result.lines()).allMatch(line -> line.usd().signum() >= 0);
        }
    }

    @Property(tries = 100)
    void onDemandCostsAtLeastAsMuchAsItRan(@ForAll long seed) {
        // In this book spot is always below on demand.
        UsageRows rows = rows(seed);
        assertThat(total(Scenario.ALL_ON_DEMAND, rows, FROM, UNTIL))
                .isGreaterThanOrEqualTo(total(Scenario.AS_IT_RAN, rows, FROM, UNTIL));
    }

    /**
     * A period in two halves costs what the whole costs, but for rounding each line at the last digit. It holds with
     * the minimums too, since these belong to the half that a row ends in. It does not hold for: per use, where the
     * allowance and the tiers are the month's; commitments of as many instances as ran at once, since a half may have
     * fewer; all spot with a measured share of interruptions, since that is another in each half; always warm, since a
     * function without a row in a half is unknown there.
     */
    @Property(tries = 100)
    void perSecondRulesAreAdditive(@ForAll long seed, @ForAll @LongRange(min = 1, max = 172_799_999) long cut) {
        UsageRows rows = rows(seed);
        Instant middle = FROM.plusMillis(cut);
        BigDecimal lastDigits = new BigDecimal("0.000000000001")
                .multiply(new BigDecimal(rows.replicas().size() + 10));
        for (Scenario scenario : PER_SECOND) {
            BigDecimal sum = total(scenario, rows, FROM, middle).add(total(scenario, rows, middle, UNTIL));
            assertThat(sum.subtract(total(scenario, rows, FROM, UNTIL)).abs())
                    .as(scenario.name())
                    .isLessThanOrEqualTo(lastDigits);
        }
    }

    @Property(tries = 100)
    void workOfTwoHalvesIsTheWorkOfTheWhole(
            @ForAll long seed, @ForAll @LongRange(min = 1, max = 172_799_999) long cut) {
        UsageRows rows = rows(seed);
        Instant middle = FROM.plusMillis(cut);
        assertThat(work(rows, FROM, middle).plus(work(rows, middle, UNTIL))).isEqualTo(work(rows, FROM, UNTIL));
    }

    private static Work work(UsageRows rows, Instant from, Instant until) {
        return UsageSummary.of(rows, new Period(from, until, UNTIL)).values().stream()
                .map(UsageSummary::work)
                .reduce(Work.NONE, Work::plus);
    }

    private static BigDecimal total(Scenario scenario, UsageRows rows, Instant from, Instant until) {
        Period period = new Period(from, until, UNTIL);
        return Scenarios.one(scenario, rows, period, new TestBook(), ScenarioOptions.DEFAULT)
                .total();
    }

    private static List<ScenarioResult> priced(UsageRows rows, Instant from, Instant until) {
        return Scenarios.all(rows, new Period(from, until, UNTIL), new TestBook(), ScenarioOptions.DEFAULT);
    }

    private static UsageRows rows(long seed) {
        Random random = new Random(seed);
        List<NodeInterval> nodes = new ArrayList<>();
        List<ReplicaInterval> replicas = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(5); i++) {
            CapacityType capacity = random.nextBoolean() ? CapacityType.SPOT : CapacityType.ON_DEMAND;
            Interval time = time(random, 7_200_000);
            NodeEnd end = time.end().isEmpty()
                    ? NodeEnd.RUNNING
                    : random.nextBoolean() ? NodeEnd.INTERRUPTED : NodeEnd.RELEASED;
            String type = random.nextInt(10) == 0 ? "unknown.large" : TestBook.TYPE;
            nodes.add(TestNodes.node("n" + i, type, capacity, time, end));
        }
        for (int i = 0; i < random.nextInt(12); i++) {
            replicas.add(replica(random, i, nodes));
        }
        return new UsageRows(nodes, replicas);
    }

    /** Half of the rows are short, so that minimums matter; some have not ended. */
    private static Interval time(Random random, int longest) {
        Instant start = FROM.plusMillis(random.nextLong(-longest, MILLIS));
        int bound = random.nextBoolean() ? longest : 90_000;
        Instant end = start.plusMillis(random.nextInt(bound));
        boolean lasts = random.nextInt(8) == 0 || end.isAfter(UNTIL);
        return new Interval(start, lasts ? Optional.empty() : Optional.of(end));
    }

    private static ReplicaInterval replica(Random random, int i, List<NodeInterval> nodes) {
        NodeInterval node = nodes.get(random.nextInt(nodes.size()));
        Interval time = random.nextInt(3) > 0 ? node.time() : time(random, 7_200_000);
        String on = random.nextInt(10) == 0 ? "gone" : node.id();
        ReplicaInterval row = Rows.replica("r" + i, "f" + random.nextInt(3), on, time);
        ReplicaInterval sized = Rows.sized(row, Rows.eighths(1 + random.nextInt(5)), Rows.eighths(random.nextInt(5)));
        ReplicaInterval started =
                sized.withStartPhases(Map.of("boot", Duration.ofMillis(random.nextInt(60_000) - 1_000)));
        Work work = new Work(
                random.nextInt(500),
                random.nextInt(5),
                random.nextInt(20),
                random.nextInt(10_000),
                random.nextInt(4_000_000));
        ReplicaEnd end = time.end().isEmpty()
                ? ReplicaEnd.RUNNING
                : random.nextBoolean() ? ReplicaEnd.INTERRUPTED : ReplicaEnd.STOPPED;
        return Rows.worked(started, work, end);
    }
}
