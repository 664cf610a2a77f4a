package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.CostSink;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums amounts and usage by group as they come, and makes the rows of a {@link CostTable} from them. */
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
        grouping.always().forEach(this::at);
    }

    private static final class Collected {
        private UsageTotals use = UsageTotals.NONE;
        private final Map<CostKind, BigDecimal> split = new EnumMap<>(CostKind.class);
        private final Map<Scenario, BigDecimal> usd = new EnumMap<>(Scenario.class);
        private final Map<Scenario, Set<Unpriced.Reason>> missing = new EnumMap<>(Scenario.class);

        private void add(UsageTotals more) {
            use = use.plus(more);
        }

        private Amount amount(Scenario scenario) {
            return Amount.of(usd.getOrDefault(scenario, Dollars.ZERO), missing.getOrDefault(scenario, Set.of()));
        }
    }

    /** The sink of one scenario. */
    CostSink sink(Scenario scenario) {
        scenarios.add(scenario);
        return new CostSink() {
            @Override
            public void assume(Assumption assumption) {
                grouping.assume(scenario, assumption);
            }

            @Override
            public void node(NodeAllocation node, List<CostLine> lines) {
                grouping.node(scenario, node);
                lines.forEach(this::line);
            }

            @Override
            public void line(CostLine line) {
                if (line.usd().signum() != 0) {
                    grouping.split(scenario, line).forEach((group, usd) -> add(at(group), scenario, line, usd));
                }
            }
        };
    }

    void add(Scenario scenario, List<Unpriced> all) {
        for (Unpriced unpriced : all) {
            grouping.touched(unpriced)
                    .forEach(group -> at(group)
                            .missing
                            .computeIfAbsent(scenario, s -> new LinkedHashSet<>())
                            .add(unpriced.reason()));
        }
    }

    /** Adds what the replicas held, used and did; in place of their own counters those of the minutes, if there are. */
    static void add(UsageIndex index, Collection<TableRows> tables) {
        for (ReplicaInterval replica : index.replicas()) {
            if (index.period().part(replica.time()).isPresent()) {
                tables.forEach(table -> table.add(replica));
            }
        }
        index.requests().forEach(sum -> tables.forEach(table -> table.add(sum)));
    }

    private void add(ReplicaInterval replica) {
        boolean counted = grouping.isCounted(replica);
        grouping.use(replica).forEach((group, use) -> at(group).add(counted ? use.with(Work.NONE) : use));
    }

    private void add(RequestSum sum) {
        grouping.of(sum).ifPresent(group -> at(group).add(UsageTotals.NONE.with(sum.work())));
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

    List<CostRow> rows() {
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
