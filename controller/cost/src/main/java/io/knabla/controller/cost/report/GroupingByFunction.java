package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Groups by whose replicas they are. A node without a price leaves all that ran on it incomplete.
 *
 * @param counted versions whose requests were counted by minute
 * @param groups of the versions that were asked for
 */
record GroupingByFunction(
        UsageIndex index,
        Function<FunctionVersion, String> name,
        Set<FunctionVersion> counted,
        Map<FunctionVersion, Group> groups)
        implements Grouping {
    static GroupingByFunction of(UsageIndex index, Function<FunctionVersion, String> name) {
        Set<FunctionVersion> counted =
                index.requests().stream().flatMap(sum -> version(sum).stream()).collect(Collectors.toSet());
        return new GroupingByFunction(index, name, counted, new HashMap<>());
    }

    private static Optional<FunctionVersion> version(RequestSum requests) {
        return switch (requests) {
            case RequestSum.OfVersion sum ->
                Optional.of(new FunctionVersion(sum.namespace(), sum.function(), sum.version()));
            case RequestSum.OfQuarterHour sum -> Optional.empty();
        };
    }

    @Override
    public Optional<Group> of(RequestSum requests) {
        return version(requests).map(this::group);
    }

    @Override
    public boolean isCounted(ReplicaInterval replica) {
        return counted.contains(FunctionVersion.of(replica));
    }

    @Override
    public Collection<Group> always() {
        return List.of();
    }

    @Override
    public Map<Group, BigDecimal> split(Scenario scenario, CostLine line) {
        return Map.of(line.function().map(this::group).orElse(Group.IDLE), line.usd());
    }

    @Override
    public Collection<Group> touched(Unpriced unpriced) {
        Set<Group> groups = new LinkedHashSet<>();
        index.replica(unpriced.row()).map(this::group).ifPresent(groups::add);
        index.replicasOn(unpriced.row(), unpriced.time()).stream()
                .map(this::group)
                .forEach(groups::add);
        if (groups.isEmpty() || index.node(unpriced.row()).isPresent()) {
            groups.add(Group.IDLE);
        }
        return groups;
    }

    @Override
    public Map<Group, UsageTotals> use(ReplicaInterval replica) {
        return Map.of(group(replica), index.use(replica));
    }

    private Group group(ReplicaInterval replica) {
        return group(FunctionVersion.of(replica));
    }

    private Group group(FunctionVersion version) {
        return groups.computeIfAbsent(version, asked -> Group.named(name.apply(asked)));
    }
}
