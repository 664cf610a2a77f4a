package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.verbs.cost.LedgerRows;
import io.knabla.controller.simulate.warm.trace.MinuteCounts;

/** Reads a trace for the simulator from a platform's usage ledger: requests per function and minute. */
record LedgerTrace(LedgerRows ledger) {
    private static final String SELECT = """
            select namespace, function, epoch_ms(start_time) // 60000 as minute,
              sum(succeeded + failed) as requests, sum(busy_millis) as millis
            from requests group by all order by all""";

    MinuteCounts read() {
        MinuteCounts counts = new MinuteCounts();
        ledger.read(
                SELECT,
                row -> counts.add(
                        row.path(0).asText() + "/" + row.path(1).asText(),
                        row.path(2).asLong(),
                        Math.toIntExact(row.path(3).asLong()),
                        row.path(4).asDouble() / 1e3));
        return counts;
    }
}
