package io.knabla.controller.cli.verbs.function;

import static io.knabla.controller.cli.verbs.function.FunctionPrinter.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the status and the spec of one function. */
@Command(
        name = "describe",
        description = "Shows one function: its URL, status, conditions and spec.",
        footer = {"", "Example:", "  ./knabla describe digits", "  ./knabla describe digits -o yaml"})
public final class DescribeCommand implements Callable<Integer> {
    private static final Set<String> ENDED = Set.of("STOPPED", "FAILED");

    @Mixin
    NameArgument function;

    private final Context context;

    public DescribeCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        JsonNode answer = context.platform().get(PlatformClient.functionPath(context.namespace(), function.name));
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(answer);
            case name -> context.console().print("%s", text(answer, "name"));
            case table, wide -> describe(answer);
        }
        return ExitCodes.SUCCESS;
    }

    private void describe(JsonNode view) {
        Console console = context.console();
        JsonNode replicas = view.path("replicas");
        line("Name", text(view, "name"));
        line("Namespace", text(view, "namespace"));
        line("Type", text(view, "type"));
        line("URL", text(view, "url"));
        line("Version", text(view, "latestVersion") + " (ready: " + text(view, "readyVersion") + ")");
        line("Traffic", FunctionPrinter.traffic(view.path("traffic")));
        line(
                "Replicas",
                "%s ready, %s starting"
                        .formatted(
                                replicas.path("ready").asText("0"),
                                replicas.path("starting").asText("0")));
        replicas(view);
        keepWarm(view.path("keepWarm"));
        if (view.has("pool")) {
            line("Pool", text(view, "pool"));
        }
        line("Unit", text(view, "unit"));
        line("Created", text(view, "created"));
        analysis(view.path("analysis"));
        view.path("warnings").forEach(warning -> line("Warning", warning.asText()));
        console.print("Conditions:");
        for (JsonNode condition : view.path("conditions")) {
            console.print(
                    "  %-10s %-8s %s %s",
                    text(condition, "type"),
                    text(condition, "status"),
                    condition.path("reason").asText(""),
                    condition.path("message").asText(""));
        }
        console.print("Spec:");
        Documents.yaml(view.path("spec")).lines().forEach(text -> console.print("  %s", text));
    }

    /** Where each replica runs and why, and what is announced of its node. */
    private void replicas(JsonNode view) {
        context.platform()
                .get("/replicas")
                .path("items")
                .valueStream()
                .filter(replica -> text(replica, "function").equals(text(view, "name"))
                        && text(replica, "namespace").equals(text(view, "namespace")))
                .filter(replica -> !ENDED.contains(text(replica, "state")))
                .forEach(replica -> context.console()
                        .print(
                                "  %s %s on %s (%s): %s%s",
                                text(replica, "id"),
                                text(replica, "state"),
                                text(replica, "node"),
                                text(replica, "capacityType"),
                                text(replica.path("placement"), "message"),
                                warning(replica.path("warning"))));
    }

    private static String warning(JsonNode warning) {
        return warning.isMissingNode()
                ? ""
                : "; its node: %s, %s s left".formatted(text(warning, "kind"), text(warning, "secondsLeft"));
    }

    private void keepWarm(JsonNode warm) {
        if (warm.isObject()) {
            JsonNode next = warm.path("nextStart");
            line(
                    "Kept warm",
                    "%s (%s)%s"
                            .formatted(
                                    text(warm, "keep"),
                                    KeepReasons.sentence(text(warm, "reason")),
                                    next.isTextual() ? ", next start for " + next.asText() : ""));
        }
    }

    private void analysis(JsonNode analysis) {
        if (analysis.isObject()) {
            line(
                    "One call",
                    "%s FLOPs, %s peak memory, %s of weights"
                            .formatted(
                                    Amounts.count(analysis.path("flops").asDouble()),
                                    Amounts.bytes(
                                            analysis.path("peakMemoryBytes").asLong()),
                                    Amounts.bytes(analysis.path("weightBytes").asLong())));
            predicted(analysis);
        }
        gradient(analysis.path("gradientCheck"));
        batching(analysis.path("batching"));
    }

    private void predicted(JsonNode analysis) {
        JsonNode prediction = analysis.path("prediction");
        if (prediction.path("machine").isTextual()) {
            line(
                    "Predicted",
                    "%s a call on %s"
                            .formatted(
                                    Amounts.millis(
                                            analysis.path("predictedMillis").asDouble()),
                                    text(prediction, "machine")));
        }
        JsonNode fit = analysis.path("suggestion");
        if (fit.path("reason").isTextual()) {
            line("Fits", "pool %s: %s".formatted(text(fit, "pool"), text(fit, "reason")));
        }
    }

    private void gradient(JsonNode check) {
        if (check.path("gradientError").isNumber()) {
            int kinks = check.path("kinks").asInt();
            line(
                    "Gradient",
                    "differs from finite differences of the loss by %.1e along %d random directions%s"
                            .formatted(
                                    check.path("gradientError").asDouble(),
                                    check.path("directions").asInt(),
                                    kinks == 0 ? "" : ", %d of them across a kink".formatted(kinks)));
        } else if (check.path("notTried").isTextual()) {
            line("Gradient", "not compared with finite differences of the loss:  " + text(check, "notTried"));
        }
    }

    private void batching(JsonNode rows) {
        String reason = text(rows, "reason");
        switch (text(rows, "finding")) {
            case "INDEPENDENT" -> line("Batching", "sample rows have the same answers alone and together");
            case "NOT_JOINED" -> line("Batching", "none: " + reason);
            case "NOT_CHECKED" -> line("Batching", "not checked whether rows change each other's answers: " + reason);
            case "DEPENDENT", "INSEPARABLE" -> line("Batching", "gives wrong answers: " + reason);
            default -> {}
        }
    }

    private void line(String label, String value) {
        context.console().print("%-11s %s", label + ":", value);
    }
}
