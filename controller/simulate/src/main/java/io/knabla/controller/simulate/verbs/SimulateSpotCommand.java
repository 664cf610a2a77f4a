package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.simulate.spot.Baselines;
import io.knabla.controller.simulate.spot.Comparison;
import io.knabla.controller.simulate.spot.Comparison.Row;
import io.knabla.controller.simulate.spot.History.Recorded;
import io.knabla.controller.simulate.spot.Scenario;
import io.knabla.controller.simulate.spot.report.SpotPage;
import io.knabla.controller.simulate.spot.report.SpotPicture;
import io.knabla.controller.simulate.verbs.SpotScenarioOptions.Replay;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares spot policies on a recorded trace, or on a platform's own history. */
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
            "  ./knabla simulate spot --from-ledger --from 7d --notice 120s",
            "  ./knabla simulate spot --trace zones.csv --policy Adaptive,SpotHedge --target 5 -o json",
            "  ./knabla simulate spot --policy Adaptive:2 --notice 120s --platform Cluster",
            "  ./knabla simulate spot --prices bundled --cold-start 240s --html spot.html --png spot.png"
        })
final class SimulateSpotCommand implements Callable<Integer> {
    private static final Set<String> CONSTANT_TARGET = Set.of("Omniscient", "UniformProgress");

    @Option(
            names = "--policy",
            paramLabel = "P[,P…]",
            split = ",",
            description = "OnDemandOnly, SpotOnly, StaticMix, SpotHedge, UniformProgress, Omniscient or Adaptive"
                    + " (default); SpotHedge:2 holds two extra replicas. The baselines are always shown.")
    List<String> policies = List.of("Adaptive");

    @Option(names = "--seeds", paramLabel = "N", description = "Runs of each policy; the means are shown (default: 3).")
    int seeds = 3;

    @Mixin
    ReportFiles files;

    @Mixin
    SpotScenarioOptions options = new SpotScenarioOptions();

    private final Context context;

    SimulateSpotCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<String> faults = faults();
        if (!faults.isEmpty()) {
            throw CliFailure.usageError("%s", String.join("\n", faults));
        }
        Optional<Replay> replay = options.ledger ? Optional.of(options.replay(context)) : Optional.empty();
        Scenario scenario = replay.map(Replay::scenario).orElseGet(options::scenario);
        List<Row> rows = Comparison.run(scenario, policies, seeds);
        print(rows, replay.map(it -> it.history().recorded(it.scenario())));
        files.write(context, out -> SpotPage.write(rows, out), out -> SpotPicture.write(rows, out));
        return ExitCodes.SUCCESS;
    }

    private List<String> faults() {
        List<String> faults = options.faults();
        if (seeds < 1) {
            faults.add("--seeds must be 1 at least, but is " + seeds);
        }
        List<String> constant =
                policies.stream().filter(CONSTANT_TARGET::contains).toList();
        if (options.ledger && !constant.isEmpty()) {
            faults.add("--policy %s needs a target that does not change; leave it out with --from-ledger"
                    .formatted(String.join(", ", constant)));
        }
        List<String> published = policies.stream()
                .filter(name -> Baselines.isKnown(name) && !Baselines.runsOn(options.platform, name))
                .toList();
        if (!published.isEmpty()) {
            faults.add("--policy %s is none that a function can choose; compare it with --platform None"
                    .formatted(String.join(", ", published)));
        }
        List<String> unknown =
                policies.stream().filter(name -> !Baselines.isKnown(name)).toList();
        if (!unknown.isEmpty()) {
            faults.add("--policy has %s; known are %s"
                    .formatted(String.join(", ", unknown), String.join(", ", Baselines.NAMES)));
        }
        return faults;
    }

    private void print(List<Row> rows, Optional<Recorded> recorded) {
        Map<String, Object> document = new TreeMap<>(Map.of("rows", rows));
        recorded.ifPresent(it -> document.put("recorded", it));
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document));
            case yaml -> context.console().out().println(Documents.yaml(document));
            case name -> rows.forEach(row -> context.console().print("%s", row.policy()));
            case table, wide -> {
                context.console().print("%s", table(rows));
                recorded.ifPresent(this::print);
            }
        }
    }

    private void print(Recorded recorded) {
        context.console()
                .print(
                        "recorded: cost %.3f of all on demand, %.1f replica hours of which %.1f on spot, %d interruptions,"
                                + " %d of %d requests failed",
                        recorded.cost(),
                        recorded.replicaHours(),
                        recorded.spotHours(),
                        recorded.interruptions(),
                        recorded.failed(),
                        recorded.requests());
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
}
