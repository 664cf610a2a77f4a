package io.knabla.controller.catalog;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Limits the number of versions in a record: drops the oldest, but none that receives traffic. */
final class VersionHistory {
    static final int LIMIT = 100;

    private VersionHistory() {}

    static FunctionRecord bounded(FunctionRecord record, int limit) {
        int surplus = record.versions().size() - limit;
        if (surplus <= 0) {
            return record;
        }
        Set<Integer> served =
                record.effectiveTraffic().stream().map(VersionShare::version).collect(Collectors.toSet());
        // The newest version is always kept: the next number follows from it.
        List<Version> droppable = record.versions().subList(0, record.versions().size() - 1).stream()
                .filter(version -> !served.contains(version.number()))
                .limit(surplus)
                .toList();
        List<Version> kept = record.versions().stream()
                .filter(version -> !droppable.contains(version))
                .toList();
        return record.with(kept, record.traffic());
    }
}
