package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.warm.trace.MinuteCounts;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

/** Reads a trace for the simulator from a platform's usage ledger: requests per function and minute. */
record LedgerTrace(Context context, PeriodOptions time) {
    /** An answer has 10,000 rows at most, so it is asked for in parts. */
    private static final int PART = 10_000;

    private static final String SELECT = """
            select namespace, function, epoch_ms(start_time) // 60000 as minute,
              sum(succeeded + failed) as requests, sum(busy_millis) as millis
            from requests group by all order by all limit %d offset %d""";

    MinuteCounts read() {
        MinuteCounts counts = new MinuteCounts();
        int part = PART;
        for (int from = 0; part == PART; from += PART) {
            JsonNode rows = rows(from);
            rows.forEach(row -> counts.add(
                    row.path(0).asText() + "/" + row.path(1).asText(),
                    row.path(2).asLong(),
                    Math.toIntExact(row.path(3).asLong()),
                    row.path(4).asDouble() / 1e3));
            part = rows.size();
        }
        return counts;
    }

    private JsonNode rows(int from) {
        PlatformClient platform = context.platform();
        PlatformResponse answer = platform.api(
                "POST",
                time.path("/sql", Map.of()),
                BodyPublishers.ofString(SELECT.formatted(PART, from)),
                Map.of("Content-Type", "text/plain"));
        platform.expectSuccess(answer, "costs");
        CostCommand.noteDamages(answer, context);
        return CostCommand.exact(answer).path("rows");
    }
}
