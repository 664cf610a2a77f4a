package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.WritesFile;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what functions cost, and what the same usage would have cost under other offers. */
@Command(
        name = "cost",
        description = {
            "Prints what functions cost in a period, and what the same usage would have cost on demand, on spot, per use"
                    + " and under commitments. What has no price is named and left out of the sums.",
            "-o also takes csv, focus (FOCUS 1.2) and html.",
            "Prices of other machines stand under prices: in config.yaml, limits under budgets:."
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla cost",
            "  ./knabla cost --from 7d --by day --tz Europe/Berlin",
            "  ./knabla cost --period last-month",
            "  ./knabla cost --from 2026-01-01 --by month",
            "  ./knabla cost --period last-month --tz UTC -o focus > bill.csv",
            "  ./knabla cost --scenario per-use",
            "  ./knabla cost --scenario offers.yaml",
            "  ./knabla cost --check     (exits 3 if a budget is exceeded)",
            "  ./knabla cost sql \"select function, sum(succeeded) from replicas group by function\""
        })
public final class CostCommand implements Callable<Integer>, WritesFile {
    private static final Set<String> DOCUMENTS = Set.of("csv", "focus", "html");

    @Mixin
    PeriodOptions time;

    @Option(
            names = "--by",
            paramLabel = "DIMENSION",
            completionCandidates = Dimensions.class,
            description = "function (default), namespace, version, pool, capacity, zone, month, day or hour.")
    String by;

    @Option(
            names = "--scenario",
            paramLabel = "NAME|FILE",
            description =
                    "The offer that the rows are of: as-it-ran (default), all-on-demand, all-spot, per-use, fargate,"
                            + " fargate-spot, committed-1y, committed-3y, always-warm; or a YAML file with architecture,"
                            + " interruptionShare, committed and prices.")
    String scenario;

    @Option(names = "--check", description = "Exit with 3 if a budget is exceeded.")
    boolean check;

    @Option(names = "--watch", description = "Show the cost of now and of today until Ctrl-C.")
    boolean watch;

    @Option(names = "--interval", paramLabel = "DURATION", description = "Time between two looks of --watch.")
    String interval = "5s";

    static final class Dimensions extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Dimensions() {
            super(List.of("function", "namespace", "version", "pool", "capacity", "zone", "month", "day", "hour"));
        }
    }

    private final Context context;

    public CostCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (context.options().namespace != null) {
            throw CliFailure.usageError("a report is of all namespaces; use --by namespace in place of -n");
        }
        if (watch) {
            new CostWatch(context, time.zone, interval).run();
            return ExitCodes.FAILED;
        }
        Optional<String> document = document();
        if (document.isPresent()) {
            context.console().out().print(answer(document.get()).body());
            return ExitCodes.SUCCESS;
        }
        JsonNode budgets = switch (context.format()) {
            case json -> print(exact(answer("json")), false);
            case yaml -> print(exact(answer("json")), true);
            case name, table, wide -> new CostPrinter(context).print(exact(answer("table")));
        };
        return check ? checked(budgets) : ExitCodes.SUCCESS;
    }

    /** A format that only this verb has. */
    private Optional<String> document() {
        Optional<String> text = context.options().file().map(Path::toString);
        text.filter(format -> !DOCUMENTS.contains(format)).ifPresent(unknown -> {
            throw CliFailure.usageError(
                    "'%s' is no format for -o; write one of table, wide, json, yaml, name, csv, focus, html", unknown);
        });
        if (text.isPresent() && check) {
            throw CliFailure.usageError("--check prints a table, json or yaml; leave out -o %s", text.get());
        }
        return text;
    }

    private JsonNode print(JsonNode report, boolean yaml) {
        context.console().out().println(yaml ? Documents.yaml(report) : Documents.json(report));
        return report.path("budgets");
    }

    private PlatformResponse answer(String format) {
        Map<String, String> parameters = new TreeMap<>(Map.of("format", format));
        if (by != null) {
            parameters.put("by", by);
        }
        Optional<Path> file = Optional.ofNullable(scenario).map(Path::of).filter(Files::isRegularFile);
        if (scenario != null && file.isEmpty()) {
            parameters.put("scenario", scenario);
        }
        PlatformClient platform = context.platform();
        String path = time.path("", parameters);
        PlatformResponse answer = file.map(named -> platform.api(
                        "POST", path, BodyPublishers.ofString(text(named)), Map.of("Content-Type", "application/yaml")))
                .orElseGet(() -> platform.api("GET", path, BodyPublishers.noBody(), Map.of()));
        platform.requireSuccess(answer, "costs");
        noteDamages(answer, context);
        return answer;
    }

    /** Says on stderr that the usage is not complete. */
    static void noteDamages(PlatformResponse answer, Context context) {
        answer.header("Knabla-Usage-Damages")
                .filter(count -> !count.equals("0"))
                .ifPresent(count ->
                        context.note("note: %s parts of the usage could not be read; ./knabla cost names them", count));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", file, unreadable.getMessage());
        }
    }

    /** Decimals keep all of their digits. */
    static JsonNode exact(PlatformResponse answer) {
        try {
            return Documents.JSON
                    .reader()
                    .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .readTree(answer.body());
        } catch (JsonProcessingException broken) {
            throw CliFailure.because(broken, "the platform's answer is not JSON; is it of another version?");
        }
    }

    private int checked(JsonNode budgets) {
        if (budgets.isEmpty()) {
            context.note("note: there is no budget to check; state some under budgets: in config.yaml of the platform");
        }
        int exceeded = 0;
        for (JsonNode budget : budgets) {
            if (budget.path("exceeded").asBoolean()) {
                exceeded++;
                context.console()
                        .error("the %s has spent %s of its %s USD of this %s"
                                .formatted(
                                        budget.path("subject").asText(),
                                        CostPrinter.money(budget.path("spent")),
                                        CostPrinter.money(budget.path("amount")),
                                        budget.path("period").asText()));
            }
        }
        return exceeded == 0 ? ExitCodes.SUCCESS : ExitCodes.OVER_BUDGET;
    }
}
