package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Dollars of one scenario by group and time. All together they sum to the scenario's total to the last digit.
 *
 * @param times days or hours, in order and without gaps
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
     * @param times {@link Dimension#DAY} or {@link Dimension#HOUR}
     * @param zone whose days and hours are meant
     */
    public static CostOverTime of(
            Dimension groups, Dimension times, ZoneId zone, UsageRows rows, Period period, ScenarioResult result) {
        UsageIndex index = new UsageIndex(rows, period);
        Grouping byGroup = Grouping.of(groups, zone, index, List.of(result));
        Grouping byTime = Grouping.of(times, zone, index, List.of(result));
        Map<Group, Map<Group, BigDecimal>> usd = new LinkedHashMap<>();
        for (CostLine line : result.lines()) {
            // Only times divide a line: of any other dimension it has one group.
            Group group = byGroup.split(result, line).keySet().iterator().next();
            Map<Group, BigDecimal> over = usd.computeIfAbsent(group, g -> new LinkedHashMap<>());
            byTime.split(result, line).forEach((time, amount) -> over.merge(time, amount, BigDecimal::add));
        }
        return new CostOverTime(List.copyOf(byTime.always()), usd);
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
