package io.knabla.controller.cost.page;

import io.knabla.controller.cost.report.CostOverTime;
import io.knabla.controller.cost.report.CostTable;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.report.Group;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A page's costs over time, as it ran. */
final class PageTimes {
    /** Up to this long, a report has bars of hours; a longer one has bars of days. */
    private static final Duration HOURLY = Duration.ofHours(72);

    /** More points than a small line can show. */
    private static final int LINE_POINTS = 60;

    private static final int HOURS_OF_DAY = 24;
    private static final Group ALL = group("all");

    private final CostPageInput input;
    private final Dimension step;
    private final CostOverTime hours;

    PageTimes(CostPageInput input) {
        this.input = input;
        this.step =
                Duration.between(input.period().from(), input.period().until()).compareTo(HOURLY) > 0
                        ? Dimension.DAY
                        : Dimension.HOUR;
        this.hours = over(Dimension.CAPACITY, Dimension.HOUR);
    }

    private CostOverTime over(Dimension groups, Dimension times) {
        return CostOverTime.of(groups, times, input.zone(), input.rows(), input.period(), input.ran());
    }

    Dimension step() {
        return step;
    }

    /** By capacity type, in steps of a day or an hour. */
    CostOverTime bars() {
        return step == Dimension.HOUR
                ? hours
                : hours.merged(UnaryOperator.identity(), hour -> group(day(hour).toString()));
    }

    /** Dollars of each day's hours from 0 to 23, by day; null where an hour is not in the period. */
    Map<LocalDate, BigDecimal[]> hoursByDay() {
        List<BigDecimal> usd =
                hours.merged(group -> ALL, UnaryOperator.identity()).of(ALL);
        Map<LocalDate, BigDecimal[]> days = new TreeMap<>();
        for (int i = 0; i < usd.size(); i++) {
            Group hour = hours.times().get(i);
            BigDecimal[] day = days.computeIfAbsent(day(hour), date -> new BigDecimal[HOURS_OF_DAY]);
            int at = start(hour).getHour();
            // An hour that a change of clocks repeats counts twice.
            day[at] = day[at] == null ? usd.get(i) : day[at].add(usd.get(i));
        }
        return days;
    }

    /** Dollars of each row over time, in the order of the table, in at most {@link #LINE_POINTS} equal steps. */
    List<List<BigDecimal>> lines(CostTable functions) {
        Set<Group> rows = functions.rows().stream().map(row -> row.group()).collect(Collectors.toSet());
        CostOverTime all = over(Dimension.FUNCTION, step);
        int perPoint = Math.ceilDiv(all.times().size(), LINE_POINTS);
        CostOverTime lines = all.merged(
                group -> rows.contains(group) ? group : ALL,
                time -> group("" + all.times().indexOf(time) / perPoint));
        return functions.rows().stream()
                .map(row -> lines.usd().containsKey(row.group()) ? lines.of(row.group()) : lines.of(ALL))
                .toList();
    }

    private LocalDate day(Group hour) {
        return start(hour).toLocalDate();
    }

    private ZonedDateTime start(Group hour) {
        Instant start = hour.time().orElseThrow().start();
        return start.atZone(input.zone());
    }

    private static Group group(String name) {
        return new Group(name, Optional.empty());
    }
}
