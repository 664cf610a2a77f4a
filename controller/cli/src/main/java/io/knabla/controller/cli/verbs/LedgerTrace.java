package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.warm.trace.MinuteCounts;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

/** Asks a platform for its own requests per function and minute. */
record LedgerTrace(Context context, PeriodOptions time) {
    /** One row for each function, since an answer has 10,000 rows at most. */
    private static final String SELECT = """
            select function, string_agg(minute || ' ' || requests || ' ' || millis, ',') from (
              select namespace || '/' || function as function, epoch_ms(start_time) // 60000 as minute,
                sum(succeeded + failed)::bigint as requests, sum(busy_millis)::bigint as millis
              from requests group by all) group by function""";

    MinuteCounts read() {
        PlatformClient platform = context.platform();
        PlatformResponse answer = platform.api(
                "POST",
                time.path("/sql", Map.of()),
                BodyPublishers.ofString(SELECT),
                Map.of("Content-Type", "text/plain"));
        platform.expectSuccess(answer, "costs");
        CostCommand.noteDamages(answer, context);
        MinuteCounts counts = new MinuteCounts();
        for (JsonNode row : CostCommand.exact(answer).path("rows")) {
            for (String minute : row.path(1).asText().split(",")) {
                String[] numbers = minute.split(" ");
                counts.add(
                        row.path(0).asText(),
                        Long.parseLong(numbers[0]),
                        Math.toIntExact(Long.parseLong(numbers[1])),
                        Long.parseLong(numbers[2]) / 1e3);
            }
        }
        return counts;
    }
}
