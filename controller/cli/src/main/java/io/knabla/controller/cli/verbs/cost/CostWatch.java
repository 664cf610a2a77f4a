package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.spec.Durations;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;

/** Shows what is paid at this moment, in one line that is renewed until Ctrl-C. */
final class CostWatch {
    private static final int BUSY = 503;

    private final Context context;
    private final String path;
    private final Duration interval;

    CostWatch(Context context, String zone, String interval) {
        this.context = context;
        this.path = "/costs/now?tz=" + PlatformClient.pathSegment(zone);
        this.interval = Durations.parse(interval)
                .filter(time -> !time.isZero())
                .orElseThrow(() -> CliFailure.usageError(
                        "'%s' is no duration for --interval; write one such as 5s or 1m", interval));
    }

    /** Returns when nobody reads its line any longer; throws if the platform fails, or the thread is interrupted. */
    void run() {
        var progress = new Progress(context.console(), false);
        PlatformClient platform = context.platform();
        try {
            while (!context.console().err().checkError()) {
                PlatformResponse answer = platform.api("GET", path, BodyPublishers.noBody(), Map.of());
                if (answer.status() != BUSY) {
                    platform.expectSuccess(answer, "costs");
                    progress.step(line(CostCommand.exact(answer)));
                }
                Thread.sleep(interval);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "stopped watching");
        } finally {
            progress.done();
        }
    }

    private static String line(JsonNode now) {
        var line = new StringBuilder("now %s an hour for %d nodes, today %s"
                .formatted(usd(now, "perHour"), now.path("nodes").asInt(), usd(now, "today")));
        for (JsonNode budget : now.path("budgets")) {
            line.append(", %s %s of its %s"
                    .formatted(
                            budget.path("subject").asText(),
                            CostPrinter.percent(budget.path("share")),
                            budget.path("period").asText()));
        }
        return line.toString();
    }

    private static String usd(JsonNode now, String field) {
        if (!now.path(field).isNumber()) {
            return "(no price)";
        }
        boolean complete = now.path(field + "Complete").asBoolean();
        return "%s USD%s".formatted(CostPrinter.dollars(now.path(field)), complete ? "" : " (prices are missing)");
    }
}
