package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.spot.report.ComparisonPage;
import io.knabla.controller.spot.report.ComparisonPicture;
import io.knabla.controller.spot.simulate.Baselines;
import io.knabla.controller.spot.simulate.Comparison;
import io.knabla.controller.spot.simulate.Comparison.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares spot policies on a recorded trace, without a platform. */
@Command(
        name = "spot",
        description = {
            "Compares policies for spot capacity on a recorded trace: cost relative to all on demand, share of the time in"
                    + " which the target was ready, and failed requests.",
            "A trace is a CSV file with time,zone,available (seconds or RFC 3339; a count, or 0 and 1), or the name of a"
                    + " bundled one. Without --prices, spot costs a third of on demand; with it, EC2's billing rules hold."
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla simulate spot --policy Adaptive",
            "  ./knabla simulate spot --trace zones.csv --policy Adaptive,SpotHedge --target 5 -o json",
            "  ./knabla simulate spot --prices bundled --cold-start 240s --html spot.html --png spot.png"
        })
final class SimulateSpotCommand implements Callable<Integer> {
    @Option(
            names = "--policy",
            paramLabel = "P[,P…]",
            split = ",",
            description = "OnDemandOnly, SpotOnly, StaticMix, SpotHedge, UniformProgress, Omniscient or Adaptive"
                    + " (default); SpotHedge:2 holds two extra replicas. The baselines are always shown.")
    List<String> policies = List.of("Adaptive");

    @Option(names = "--seeds", paramLabel = "N", description = "Runs of each policy; the means are shown (default: 3).")
    int seeds = 3;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with a plot.")
    Path html;

    @Option(names = "--png", paramLabel = "FILE", description = "Also write a plot.")
    Path png;

    @Mixin
    SpotScenarioOptions options = new SpotScenarioOptions();

    private final Context context;

    SimulateSpotCommand(Context context) {
        this.context = context;
    }

    private interface Writer {
        void write(List<Row> rows, OutputStream out) throws IOException;
    }

    @Override
    public Integer call() {
        List<String> faults = faults();
        if (!faults.isEmpty()) {
            throw CliFailure.usageError("%s", String.join("\n", faults));
        }
        List<Row> rows = Comparison.run(options.scenario(), policies, seeds);
        print(rows);
        write(html, rows, ComparisonPage::write);
        write(png, rows, ComparisonPicture::write);
        return ExitCodes.SUCCESS;
    }

    private List<String> faults() {
        List<String> faults = options.faults();
        if (seeds < 1) {
            faults.add("--seeds must be 1 at least, but is " + seeds);
        }
        List<String> unknown =
                policies.stream().filter(name -> !Baselines.isKnown(name)).toList();
        if (!unknown.isEmpty()) {
            faults.add("--policy has %s; known are %s"
                    .formatted(String.join(", ", unknown), String.join(", ", Baselines.NAMES)));
        }
        return faults;
    }

    private void print(List<Row> rows) {
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(Map.of("rows", rows)));
            case yaml -> context.console().out().println(Documents.yaml(Map.of("rows", rows)));
            case name -> rows.forEach(row -> context.console().print("%s", row.policy()));
            case table, wide -> context.console().print("%s", table(rows));
        }
    }

    private static Table table(List<Row> rows) {
        var table = Table.of(
                "POLICY",
                ">COST",
                ">AVAILABLE",
                ">NONE READY",
                ">FAILED",
                ">REQUESTS",
                ">P99",
                ">ON SPOT",
                ">LOST",
                ">REFUSED");
        for (Row row : rows) {
            table.row(
                    row.policy(),
                    "%.3f".formatted(row.cost()),
                    "%.2f %%".formatted(100 * row.availability()),
                    "%.3f %%".formatted(100 * row.outage()),
                    "%.0f".formatted(row.failedRequests()),
                    "%.0f".formatted(row.requests()),
                    "%.1f s".formatted(row.p99Seconds()),
                    "%.1f %%".formatted(100 * row.spotShare()),
                    "%.0f".formatted(row.interruptions()),
                    "%.0f".formatted(row.refusedLaunches()));
        }
        return table;
    }

    private void write(Path file, List<Row> rows, Writer writer) {
        if (file == null) {
            return;
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            writer.write(rows, out);
            context.note("wrote %s", file);
        } catch (IOException failed) {
            throw CliFailure.because(failed, "cannot write %s: %s", file, failed.getMessage());
        }
    }
}
