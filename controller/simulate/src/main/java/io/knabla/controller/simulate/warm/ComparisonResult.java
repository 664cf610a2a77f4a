package io.knabla.controller.simulate.warm;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** CsvRows of several policies on the same traces. */
public record ComparisonResult(List<ResultRow> rows) {
    public ComparisonResult {
        rows = List.copyOf(rows);
    }

    /** CsvRows of each policy, in the order of the policies' declaration. */
    public Map<PolicyName, List<ResultRow>> curves() {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        ResultRow::policy, () -> new EnumMap<>(PolicyName.class), Collectors.toList()));
    }

    /** Of Adaptive with each other policy that is possible without knowledge of the trace; empty without Adaptive. */
    public List<CurveComparison> atEqualWaste() {
        Map<PolicyName, List<ResultRow>> curves = curves();
        List<ResultRow> own = curves.get(PolicyName.Adaptive);
        return own == null
                ? List.of()
                : Arrays.stream(PolicyName.values())
                        .filter(other -> other != PolicyName.Adaptive && other != PolicyName.Omniscient)
                        .filter(curves::containsKey)
                        .map(other -> CurveComparison.of(own, curves.get(other)))
                        .toList();
    }
}
