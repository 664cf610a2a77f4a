package io.knabla.controller.cli.verbs.spot;

import static io.knabla.controller.cli.verbs.function.FunctionPrinter.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.function.FunctionPrinter;
import io.knabla.functions.spec.Durations;
import java.util.List;
import java.util.Map;

/** Sends interruption drills to the platform, and prints the nodes that are warned. */
final class SpotDrills {
    private final Context context;
    private final PlatformClient platform;

    SpotDrills(Context context) {
        this.context = context;
        this.platform = context.platform();
    }

    /** @param where a node, a zone or a replica */
    JsonNode send(String where, String what, Map<String, Object> body) {
        return platform.send("POST", "/nodes/" + PlatformClient.pathSegment(where) + "/" + what, body);
    }

    /** Names of the nodes on spot capacity that have replicas and of which nothing is announced. */
    List<String> inUse() {
        return platform.get("/nodes")
                .path("items")
                .valueStream()
                .filter(node -> text(node, "capacityType").equals("Spot"))
                .filter(node ->
                        node.path("used").asInt() > 0 && node.path("warning").isMissingNode())
                .map(node -> text(node, "name"))
                .toList();
    }

    static long seconds(String option, String text) {
        return Durations.parse(text)
                .filter(time -> time.toMillisPart() == 0)
                .orElseThrow(() ->
                        CliFailure.usageError("'%s' is no duration for %s; write one such as 120s or 2m", text, option))
                .toSeconds();
    }

    void print(JsonNode answer) {
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(answer);
            case name -> answer.path("items").forEach(node -> context.console().print("%s", text(node, "name")));
            case table, wide -> {
                var table = Table.of("NODE", "ZONE", ">REPLICAS", "WARNING", ">SECONDS LEFT");
                for (JsonNode node : answer.path("items")) {
                    JsonNode warning = node.path("warning");
                    table.row(
                            text(node, "name"),
                            text(node, "zone"),
                            text(node, "used"),
                            text(warning, "kind"),
                            text(warning, "secondsLeft"));
                }
                context.console().print("%s", table);
            }
        }
    }
}
