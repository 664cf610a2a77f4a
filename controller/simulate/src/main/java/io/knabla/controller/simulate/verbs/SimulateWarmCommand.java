package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.cost.LedgerRows;
import io.knabla.controller.cli.verbs.cost.PeriodOptions;
import io.knabla.controller.simulate.rows.TraceFault;
import io.knabla.controller.simulate.warm.Comparison;
import io.knabla.controller.simulate.warm.ComparisonResult;
import io.knabla.controller.simulate.warm.CurveComparison;
import io.knabla.controller.simulate.warm.PolicyName;
import io.knabla.controller.simulate.warm.ReplayOptions;
import io.knabla.controller.simulate.warm.ReplayOptions.PlatformOptions;
import io.knabla.controller.simulate.warm.ResultRow;
import io.knabla.controller.simulate.warm.report.WarmPage;
import io.knabla.controller.simulate.warm.report.WarmPicture;
import io.knabla.controller.simulate.warm.trace.MinuteCounts;
import io.knabla.controller.simulate.warm.trace.Trace;
import io.knabla.controller.simulate.warm.trace.TraceGenerator;
import io.knabla.controller.simulate.warm.trace.TraceReader;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.functions.spec.Durations;
import io.knabla.functions.spec.Quantities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares keep-warm policies on a trace. */
@Command(
        name = "warm",
        description = {
            "Replays a trace of requests under keep-warm policies and prints, for each, the share of the requests that"
                    + " waited for a start, and the memory of replicas without a request.",
            "A trace is a CSV file with the columns time,function,duration in seconds, a file of the Azure Functions"
                    + " trace of 2021 or of the Azure LLM trace, a day or a folder of the Azure Functions trace of 2019,"
                    + " or 'generated'.",
            "A start takes 1.35 s, as measured on a test cluster; it does not delay the requests that follow."
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla simulate warm --trace generated",
            "  ./knabla simulate warm --from-ledger --from 7d",
            "  ./knabla simulate warm --trace requests.csv --policy Adaptive,Fixed,Hybrid -o json",
            "  ./knabla simulate warm --trace requests.csv --policy Adaptive,Fixed --curve --train 24h",
            "  ./knabla simulate warm --trace requests.csv --platform Cluster",
            "  ./knabla simulate warm --trace requests.csv --html warm.html --png warm.png"
        })
final class SimulateWarmCommand implements Callable<Integer> {
    private static final String GENERATED = "generated";
    private static final double GB = 1e9;

    @ArgGroup(multiplicity = "1")
    Source source;

    @Mixin
    PeriodOptions time;

    private static final class Source {
        @Option(names = "--trace", paramLabel = "FILE", description = "The requests, or 'generated'.")
        String trace;

        @Option(
                names = "--from-ledger",
                description = "The platform's own requests from --from to --to, known by the minute.")
        boolean ledger;
    }

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "POLICY",
            description = "Of ${COMPLETION-CANDIDATES} (default: all).")
    List<PolicyName> policies;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Seeds of the generator and of random choices; rows are medians over them (default: 1;"
                    + " generated: 5).")
    Integer seeds;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory of all replicas together, such as 4Gi; idle replicas are evicted by Greedy-Dual"
                    + " (default: no bound; GreedyDual: half of what it would take to release none).")
    String memory;

    @Option(
            names = "--replica-memory",
            paramLabel = "SIZE",
            description = "Memory of a replica where the trace states none (default: ${DEFAULT-VALUE}).")
    String replicaMemory = "512Mi";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Requests that a replica executes at a time (default: ${DEFAULT-VALUE}).")
    int concurrency = 1;

    @Option(
            names = "--train",
            paramLabel = "DURATION",
            description = "Time at the trace's begin that policies learn from and that is not measured (default: 0s).")
    String train = "0s";

    @Option(
            names = "--spread",
            paramLabel = "SIGMA",
            description = "Spread of the log-normal times of starts (default: 0).")
    double spread;

    @Option(
            names = "--curve",
            description = "Print a row for each of several values of every policy's knob, and Adaptive's cold rate"
                    + " relative to each other policy's at equal wasted memory.")
    boolean curve;

    /** On what decisions of policies are carried out; {@code None}: at once, as in papers. */
    enum Platform {
        None,
        Laptop,
        Cluster
    }

    @Option(
            names = "--platform",
            paramLabel = "PLATFORM",
            description = "Of ${COMPLETION-CANDIDATES}: carry decisions out in the rounds of this platform, with its"
                    + " delays, scaling.idleAfter and division of memory; None does so at once, as papers do (default:"
                    + " ${DEFAULT-VALUE}).")
    Platform platform = Platform.None;

    @Option(
            names = "--idle-after",
            paramLabel = "DURATION",
            description = "With --platform Laptop or Cluster: scaling.idleAfter of all functions (default:"
                    + " ${DEFAULT-VALUE}).")
    String idleAfter = "60s";

    @Mixin
    ReportFiles files;

    private final Context context;

    SimulateWarmCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Comparison comparison = new Comparison(name(), traces(), options());
        List<ResultRow> rows = new ArrayList<>();
        boolean curves = curve || files.any();
        for (PolicyName policy : policies()) {
            context.note("replaying %s under %s", comparison.name(), policy);
            rows.addAll(curves ? comparison.curve(policy) : List.of(comparison.row(policy, policy.usual())));
        }
        ComparisonResult result = new ComparisonResult(rows);
        print(result, curves ? result.atEqualWaste() : List.of());
        files.write(context, out -> WarmPage.write(result, out), out -> WarmPicture.write(result, out));
        return ExitCodes.SUCCESS;
    }

    private List<PolicyName> policies() {
        boolean onPlatform = platform != Platform.None;
        if (policies == null) {
            return Stream.of(PolicyName.values())
                    .filter(policy -> !onPlatform || policy != PolicyName.RainbowCake)
                    .toList();
        }
        if (onPlatform && policies.contains(PolicyName.RainbowCake)) {
            throw CliFailure.usageError(
                    "--policy RainbowCake keeps layers of replicas, which the platform does not; compare it with --platform None");
        }
        return policies;
    }

    private String name() {
        if (source.ledger) {
            return "ledger";
        }
        return isGenerated() ? GENERATED : Path.of(source.trace).getFileName().toString();
    }

    private List<Trace> traces() {
        int count = seeds != null ? seeds : isGenerated() ? 5 : 1;
        if (count < 1 || count > 1000) {
            throw CliFailure.usageError("--seeds is %d, but must be from 1 to 1000", count);
        }
        return LongStream.rangeClosed(1, count).mapToObj(reader()).toList();
    }

    private boolean isGenerated() {
        return GENERATED.equals(source.trace);
    }

    private LongFunction<Trace> reader() {
        if (source.ledger) {
            MinuteCounts counts = new LedgerTrace(new LedgerRows(context, time)).read();
            return seed -> counts.trace("ledger", seed);
        }
        return isGenerated() ? TraceGenerator.DEFAULT::generate : this::read;
    }

    private Trace read(long seed) {
        Path file = Path.of(source.trace);
        if (!Files.exists(file)) {
            throw CliFailure.failed("there is no file %s; write --trace FILE, or --trace generated", file);
        }
        try {
            return TraceReader.read(file, seed);
        } catch (TraceFault faulty) {
            throw CliFailure.withFaults("the trace %s cannot be read:".formatted(file), faulty.faults());
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", file, unreadable.getMessage());
        }
    }

    private ReplayOptions options() {
        if (concurrency < 1) {
            throw CliFailure.usageError("--concurrency is %d, but must be at least 1", concurrency);
        }
        if (!(spread >= 0 && spread <= 3)) {
            throw CliFailure.usageError("--spread is %s, but must be from 0 to 3", spread);
        }
        Duration learned = Durations.parse(train)
                .orElseThrow(() -> CliFailure.usageError("--train is '%s'; write a duration such as 24h", train));
        OptionalDouble budget =
                memory == null ? OptionalDouble.empty() : OptionalDouble.of(gigabytes("--memory", memory));
        return new ReplayOptions(
                gigabytes("--replica-memory", replicaMemory),
                concurrency,
                budget,
                learned.toMillis(),
                spread,
                1,
                platformOptions());
    }

    private Optional<PlatformOptions> platformOptions() {
        Duration idle = Durations.parse(idleAfter)
                .orElseThrow(
                        () -> CliFailure.usageError("--idle-after is '%s'; write a duration such as 60s", idleAfter));
        return switch (platform) {
            case None -> Optional.empty();
            case Laptop -> Optional.of(new PlatformOptions(KeepWarmTiming.LAPTOP, idle));
            case Cluster -> Optional.of(new PlatformOptions(KeepWarmTiming.CLUSTER, idle));
        };
    }

    private static double gigabytes(String option, String text) {
        return Quantities.parseBytes(text).stream()
                .mapToDouble(bytes -> bytes / GB)
                .filter(gb -> gb > 0)
                .findFirst()
                .orElseThrow(() -> CliFailure.usageError("%s is '%s'; write a size such as 512Mi", option, text));
    }

    private void print(ComparisonResult result, List<CurveComparison> atEqualWaste) {
        var document = Map.of("rows", result.rows(), "atEqualWaste", atEqualWaste);
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document));
            case yaml -> context.console().out().println(Documents.yaml(document));
            case name -> result.rows().forEach(row -> context.console().print("%s", row.policy()));
            case table, wide -> {
                context.console().print("%s", table(result.rows()));
                if (!atEqualWaste.isEmpty()) {
                    context.console().print("\nAdaptive's cold rate relative to the other's, at equal wasted memory:");
                    context.console().print("%s", ratios(atEqualWaste));
                }
            }
        }
    }

    private static Table table(List<ResultRow> rows) {
        var table = Table.of("POLICY", "KNOB", ">COLD", ">COLD P75", ">WASTED GB S", ">MEMORY RATIO", ">WAIT P99");
        rows.forEach(row -> table.row(
                row.policy(),
                row.knob().isEmpty() ? "" : "%s %s".formatted(row.value(), row.knob()),
                "%.3f %%".formatted(100 * row.coldRate()),
                "%.1f %%".formatted(100 * row.coldRateP75()),
                "%.0f".formatted(row.wastedGbSeconds()),
                "%.1f".formatted(row.memoryRatio()),
                "%.3f s".formatted(row.waitP99())));
        return table;
    }

    private static Table ratios(List<CurveComparison> comparisons) {
        var table = Table.of("POLICY", ">BETTER", ">EQUAL", ">WORSE", ">BEST RATIO", ">WORST RATIO", ">AT GB S");
        comparisons.forEach(comparison -> table.row(
                comparison.other(),
                comparison.better(),
                comparison.equal(),
                comparison.worse(),
                "%.3f".formatted(comparison.best().ratio()),
                "%.3f".formatted(comparison.worst().ratio()),
                "%.0f".formatted(comparison.worst().wastedGbSeconds())));
        return table;
    }
}
