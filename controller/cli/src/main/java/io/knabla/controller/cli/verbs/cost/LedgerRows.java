package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.verbs.context.Context;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the rows of a query of a platform's usage ledger. */
public record LedgerRows(Context context, PeriodOptions time) {
    /** An answer has 10,000 rows at most, so it is asked for in parts. */
    private static final int PART = 10_000;

    /** @param select with an order */
    public void read(String select, Consumer<JsonNode> row) {
        int part = PART;
        for (int from = 0; part == PART; from += PART) {
            JsonNode rows = rows("%s limit %d offset %d".formatted(select, PART, from));
            rows.forEach(row);
            part = rows.size();
        }
    }

    private JsonNode rows(String select) {
        PlatformClient platform = context.platform();
        PlatformResponse answer = platform.api(
                "POST",
                time.path("/sql", Map.of()),
                BodyPublishers.ofString(select),
                Map.of("Content-Type", "text/plain"));
        platform.expectSuccess(answer, "costs");
        CostCommand.noteDamages(answer, context);
        return CostCommand.exact(answer).path("rows");
    }
}
