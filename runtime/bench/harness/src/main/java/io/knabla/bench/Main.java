package io.knabla.bench;

import io.knabla.bench.autodiff.AutodiffBench;
import io.knabla.bench.cluster.ClusterBench;
import io.knabla.bench.cold.ColdBench;
import io.knabla.bench.cost.CostBench;
import io.knabla.bench.generation.GenerationBench;
import io.knabla.bench.machine.Host;
import io.knabla.bench.report.FailedRow;
import io.knabla.bench.report.Report;
import io.knabla.bench.report.ReportJson;
import io.knabla.bench.report.ReportTable;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.BenchRun;
import io.knabla.bench.serve.BuildComparison;
import io.knabla.bench.serve.ServeBench;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.spot.SpotBench;
import io.knabla.bench.store.StoreBench;
import io.knabla.bench.warm.WarmBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command line of {@code ./knabla bench}: runs one benchmark and prints its report. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "The project's own measurements, as ratios taken in one run.",
        footer = {"", "Exit code 1: a row failed; the others are printed.", "", "Example: bench cold --rounds 9 -o json"
        })
public final class Main implements Callable<Integer> {
    /** The benchmarks. */
    enum Name {
        cold,
        serve,
        autodiff,
        store,
        cluster,
        cost,
        warm,
        spot,
        generation
    }

    /** Output formats; a wide table is the table. */
    enum Format {
        table,
        wide,
        json
    }

    /** Those that can compare two builds. */
    private static final Set<Name> BETWEEN_BUILDS = EnumSet.of(Name.cold, Name.serve, Name.cost);

    @Parameters(paramLabel = "NAME", description = "What to measure: ${COMPLETION-CANDIDATES}")
    private Name name;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
    private Format format;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of every comparison; default 9")
    private int rounds = ColdBench.ROUNDS;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "warm only: the clients' 15 minutes are compressed to so many; default 15")
    private double minutes = WarmBench.MINUTES;

    @Option(
            names = "--cluster",
            description = "warm only: on the cluster of KUBECONFIG, INGRESS_URL and REGISTRY, not on this machine")
    private boolean cluster;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Only these rows, such as start-1mb,burst-10; default all")
    private Set<String> asked = Set.of();

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description =
                    "cold, serve and cost: compare with the build of this checkout, on which ./knabla bench ran once")
    private Path against;

    @Override
    public Integer call() {
        if (against != null && !BETWEEN_BUILDS.contains(name)) {
            System.err.println("--against is for cold, serve and cost; bench %s has no such rows".formatted(name));
            return CommandLine.ExitCode.USAGE;
        }
        if (against != null && !Files.isDirectory(against.resolve("runtime/bench/harness/target"))) {
            System.err.println("--against: run ./knabla bench %s there once, since there is no build in %s"
                    .formatted(name, against.toAbsolutePath()));
            return CommandLine.ExitCode.USAGE;
        }
        if (rounds < 1) {
            System.err.println("--rounds must be at least 1, was " + rounds);
            return CommandLine.ExitCode.USAGE;
        }
        try (Bench bench = bench()) {
            BenchRun run = new BenchRun(bench, this::report);
            List<String> unknown =
                    asked.stream().filter(row -> !run.rows().contains(row)).toList();
            if (!unknown.isEmpty()) {
                System.err.println("--rows: bench %s has no row %s; it has %s"
                        .formatted(name, String.join(", ", unknown), String.join(", ", run.rows())));
                return CommandLine.ExitCode.USAGE;
            }
            return print(run.run(name.name(), Host.describe(), asked));
        }
    }

    private int print(Report report) {
        switch (format) {
            case table, wide -> System.out.print(ReportTable.write(report));
            case json -> System.out.println(ReportJson.write(report));
        }
        if (report.failed().isEmpty()) {
            return CommandLine.ExitCode.OK;
        }
        report("failed: " + report.failed().stream().map(FailedRow::name).collect(Collectors.joining(", ")));
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void report(String progress) {
        System.err.println("bench " + name + ": " + progress);
    }

    private Bench bench() {
        Distribution built = Distribution.ofEnvironment();
        Optional<Distribution> other = Optional.ofNullable(against).map(Distribution::ofCheckout);
        return switch (name) {
            case cold -> new ColdBench(built, other, rounds, this::report);
            case serve ->
                other.isPresent()
                        ? new BuildComparison(built, other.get(), rounds, this::report)
                        : new ServeBench(built, rounds, this::report);
            case cluster -> new ClusterBench(built, rounds, this::report);
            case store -> new StoreBench(rounds, this::report);
            case warm -> new WarmBench(built, minutes, cluster, this::report);
            case spot -> new SpotBench(rounds, this::report);
            case cost -> new CostBench(other, rounds, this::report);
            case generation -> new GenerationBench(built, rounds, this::report);
            case autodiff -> new AutodiffBench(rounds, this::report);
        };
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setExecutionExceptionHandler(Main::explain)
                .execute(arguments));
    }

    /** Prints the chain of causes; a stack trace only if {@code KNABLA_TRACE} is set. */
    private static int explain(Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            System.err.println((cause == failure ? "bench failed: " : "because: ") + cause);
        }
        if (System.getenv("KNABLA_TRACE") != null) {
            failure.printStackTrace();
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
