package io.knabla.controller.cli.verbs.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.spec.Durations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes stored objects that no version needs. */
@Command(
        name = "gc",
        description = {
            "Deletes stored objects that no version of any function needs: units, weights, uploaded models,"
                    + " leftovers of uploads and deploys. Versions in the history keep their objects, so a rollback"
                    + " always works. Deploys wait while it deletes.",
            "On a laptop it also deletes files of the platform's machine: logs of ended replicas but the newest ten of"
                    + " each function, logs of deleted functions after 7 days, and marks of units that are gone.",
            "The platform also does this once a day, and for its machine every hour (gc.automatic, gc.every and gc.grace in"
                    + " config.yaml, KNABLA_GC_AUTOMATIC and so on)."
        },
        footer = {"", "Example:", "  ./knabla gc --dry-run", "  ./knabla gc --grace 1h -o wide"})
public final class GcCommand implements Callable<Integer> {
    @Option(names = "--dry-run", description = "Only print what would be deleted.")
    boolean dryRun;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            description = "Keep objects younger than this, such as 24h, 30m or 0s (default: the platform's"
                    + " gc.grace, which is 24h).")
    String grace;

    private final Context context;

    public GcCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("dryRun", dryRun);
        if (grace != null) {
            if (Durations.parse(grace).isEmpty()) {
                throw CliFailure.usageError("'%s' is no duration for --grace; write one such as 24h, 30m or 0s", grace);
            }
            wish.put("grace", grace);
        }
        JsonNode report = report(wish);
        print(report);
        List<JsonNode> troubles = all(report, "troubles").toList();
        troubles.forEach(trouble -> context.console().error(trouble.asText()));
        return troubles.isEmpty() ? ExitCodes.SUCCESS : ExitCodes.FAILED;
    }

    /** What the store and the machine have of it. */
    private static Stream<JsonNode> all(JsonNode report, String field) {
        return Stream.of(report, report.path("machine"))
                .flatMap(part -> part.path(field).valueStream());
    }

    private JsonNode report(Map<String, Object> wish) {
        var progress = new Progress(context.console(), context.options().quiet);
        progress.step(dryRun ? "looking for garbage" : "collecting garbage");
        try {
            return context.platform().send("POST", "/gc", wish);
        } finally {
            progress.done();
        }
    }

    private void print(JsonNode report) {
        Console console = context.console();
        switch (context.format()) {
            case json -> console.out().println(Documents.json(report));
            case yaml -> console.out().println(Documents.yaml(report));
            case name -> all(report, "garbage").forEach(one -> console.print("%s", text(one, "key")));
            case table -> {
                kinds(report);
                total(report);
            }
            case wide -> {
                kinds(report);
                reasons(report);
                garbage(report);
                total(report);
            }
        }
    }

    private void kinds(JsonNode report) {
        var table = Table.of("KIND", ">KEPT", ">BYTES", ">GARBAGE", ">BYTES");
        all(report, "kinds")
                .forEach(kind -> table.row(
                        text(kind, "kind"),
                        kind.path("kept").asLong(),
                        bytes(kind, "keptBytes"),
                        kind.path("garbage").asLong(),
                        bytes(kind, "garbageBytes")));
        print(table);
    }

    private void reasons(JsonNode report) {
        var table = Table.of("ACTION", "REASON", ">OBJECTS", ">BYTES");
        report.path("reasons")
                .forEach(reason -> table.row(
                        reason.path("keeps").asBoolean() ? "keep" : "delete",
                        text(reason, "because"),
                        reason.path("objects").asLong(),
                        bytes(reason, "bytes")));
        print(table);
    }

    private void garbage(JsonNode report) {
        var table = Table.of("GARBAGE", ">BYTES", "REASON");
        all(report, "garbage").forEach(one -> table.row(text(one, "key"), bytes(one, "bytes"), text(one, "reason")));
        print(table);
    }

    private void print(Table table) {
        if (!table.isEmpty()) {
            context.console().print("%s", table);
            context.console().print("");
        }
    }

    private void total(JsonNode report) {
        JsonNode machine = report.path("machine");
        long files = machine.path("garbageFiles").asLong();
        String what = "%d objects, %s%s"
                .formatted(
                        report.path("garbageObjects").asLong(),
                        bytes(report, "garbageBytes"),
                        files == 0
                                ? ""
                                : ", and %d files of its machine, %s".formatted(files, bytes(machine, "garbageBytes")));
        context.console()
                .print(
                        "%s",
                        dryRun
                                ? "would delete %s; run without --dry-run to delete them".formatted(what)
                                : "deleted %s in %.1f s"
                                        .formatted(what, report.path("seconds").asDouble()));
        long aborted = report.path("abortedUploads").asLong();
        if (aborted > 0) {
            context.console().print("aborted %d abandoned uploads", aborted);
        }
    }

    private static String bytes(JsonNode node, String field) {
        return Amounts.bytes(node.path(field).asLong());
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }
}
