package io.knabla.controller.cost.report;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums amounts and usage by group, and makes the rows of a {@link CostTable} from them. */
final class TableRows {
    private static final Comparator<CostRow> LARGEST_FIRST = Comparator.comparing(CostRow::group, Group.NAMED_FIRST)
            .thenComparing(row -> row.cost().priced(), Comparator.reverseOrder())
            .thenComparing(row -> row.group().name());

    private final Scenario main;
    private final Grouping grouping;
    private final Set<Scenario> scenarios = new LinkedHashSet<>();
    private final Map<Group, Collected> groups = new LinkedHashMap<>();

    TableRows(Scenario main, Grouping grouping) {
        this.main = main;
        this.grouping = grouping;
    }

    private static final class Collected {
        private UsageTotals use = UsageTotals.NONE;
        private final Map<CostKind, BigDecimal> split = new EnumMap<>(CostKind.class);
        private final Map<Scenario, BigDecimal> usd = new EnumMap<>(Scenario.class);
        private final Map<Scenario, Set<Unpriced.Reason>> missing = new EnumMap<>(Scenario.class);

        private Amount amount(Scenario scenario) {
            return Amount.of(usd.getOrDefault(scenario, Dollars.ZERO), missing.getOrDefault(scenario, Set.of()));
        }
    }

    List<CostRow> of(UsageIndex index, List<ScenarioResult> results) {
        grouping.always().forEach(this::at);
        results.forEach(this::add);
        for (ReplicaInterval replica : index.replicas()) {
            if (index.life(replica)
                    .flatMap(life -> index.period().part(life.whole()))
                    .isPresent()) {
                grouping.use(replica)
                        .forEach((group, use) -> at(group).use = at(group).use.plus(use));
            }
        }
        return rows();
    }

    private void add(ScenarioResult result) {
        scenarios.add(result.scenario());
        for (CostLine line : result.lines()) {
            grouping.split(result, line).forEach((group, usd) -> add(at(group), result.scenario(), line, usd));
        }
        for (Unpriced unpriced : result.unpriced()) {
            grouping.touched(unpriced)
                    .forEach(group -> at(group)
                            .missing
                            .computeIfAbsent(result.scenario(), s -> new LinkedHashSet<>())
                            .add(unpriced.reason()));
        }
    }

    private void add(Collected group, Scenario scenario, CostLine line, BigDecimal usd) {
        group.usd.merge(scenario, usd, BigDecimal::add);
        if (scenario == main) {
            group.split.merge(CostKind.of(line.part()), usd, BigDecimal::add);
        }
    }

    private Collected at(Group group) {
        return groups.computeIfAbsent(group, g -> new Collected());
    }

    private List<CostRow> rows() {
        boolean ofTime = groups.keySet().stream().anyMatch(group -> group.time().isPresent());
        List<CostRow> rows = groups.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue()))
                .toList();
        return ofTime ? rows : rows.stream().sorted(LARGEST_FIRST).toList();
    }

    private CostRow row(Group group, Collected collected) {
        Map<Scenario, Amount> others = new EnumMap<>(Scenario.class);
        scenarios.stream()
                .filter(scenario -> scenario != main)
                .forEach(scenario -> others.put(scenario, collected.amount(scenario)));
        return new CostRow(group, collected.use, collected.split, collected.amount(main), others);
    }
}
