package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CheckedUsage;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.CostSink;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The dollars of each group, such as a function, in each month, day or hour of a report, under one scenario. All
 * together they sum to the scenario's total to the last digit.
 *
 * @param times months, days or hours, in order and without gaps
 * @param usd by group, then by time; a time without dollars may be absent
 */
public record CostOverTime(List<Group> times, Map<Group, Map<Group, BigDecimal>> usd) {
    public CostOverTime {
        times = List.copyOf(times);
        usd = Map.copyOf(usd);
    }

    /**
     * Splits each amount by group and by time.
     *
     * @param groups any dimension without times
     * @param times {@link Dimension#MONTH}, {@link Dimension#DAY} or {@link Dimension#HOUR}
     * @param zone whose months, days and hours are meant
     */
    public static CostOverTime of(
            Dimension groups, Dimension times, ZoneId zone, UsageRows rows, Period period, ScenarioResult result) {
        UsageIndex index = new UsageIndex(CheckedUsage.of(rows, period), period);
        Collector collector =
                new Collector(result.scenario(), Grouping.of(groups, zone, index), Grouping.of(times, zone, index));
        result.feed(collector);
        return new CostOverTime(List.copyOf(collector.byTime.always()), collector.usd);
    }

    /** Splits each amount by a group and by times. */
    private static final class Collector implements CostSink {
        private final Scenario scenario;
        private final Grouping byGroup;
        private final Grouping byTime;
        private final Map<Group, Map<Group, BigDecimal>> usd = new LinkedHashMap<>();

        Collector(Scenario scenario, Grouping byGroup, Grouping byTime) {
            this.scenario = scenario;
            this.byGroup = byGroup;
            this.byTime = byTime;
        }

        @Override
        public void assume(Assumption assumption) {
            byGroup.assume(scenario, assumption);
            byTime.assume(scenario, assumption);
        }

        @Override
        public void node(NodeAllocation node, List<CostLine> lines) {
            byGroup.node(scenario, node);
            byTime.node(scenario, node);
            lines.forEach(this::line);
        }

        @Override
        public void line(CostLine line) {
            if (line.usd().signum() != 0) {
                // Only times divide a line: of any other dimension it has one group.
                Group group = byGroup.split(scenario, line).keySet().iterator().next();
                Map<Group, BigDecimal> over = usd.computeIfAbsent(group, g -> new LinkedHashMap<>());
                byTime.split(scenario, line).forEach((time, amount) -> over.merge(time, amount, BigDecimal::add));
            }
        }
    }

    /**
     * Sums what gets the same group or time, such as the hours of a day.
     *
     * @param group of a group
     * @param time of a time
     */
    public CostOverTime merged(UnaryOperator<Group> group, UnaryOperator<Group> time) {
        Map<Group, Map<Group, BigDecimal>> sums = new LinkedHashMap<>();
        usd.forEach((of, amounts) -> {
            Map<Group, BigDecimal> over = sums.computeIfAbsent(group.apply(of), g -> new LinkedHashMap<>());
            amounts.forEach((at, amount) -> over.merge(time.apply(at), amount, BigDecimal::add));
        });
        return new CostOverTime(times.stream().map(time).distinct().toList(), sums);
    }

    /** Dollars of a group, by time in the order of {@code times}; zeros if there is no such group. */
    public List<BigDecimal> of(Group group) {
        Map<Group, BigDecimal> amounts = usd.getOrDefault(group, Map.of());
        return times.stream()
                .map(time -> amounts.getOrDefault(time, Dollars.ZERO))
                .toList();
    }
}
