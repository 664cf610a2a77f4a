package io.knabla.bench;

import io.knabla.bench.autodiff.AutodiffBench;
import io.knabla.bench.cluster.ClusterBench;
import io.knabla.bench.cold.ColdBench;
import io.knabla.bench.cost.CostBench;
import io.knabla.bench.machine.Host;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Report;
import io.knabla.bench.report.ReportJson;
import io.knabla.bench.report.ReportTable;
import io.knabla.bench.report.Row;
import io.knabla.bench.serve.ServeBench;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.spot.SpotBench;
import io.knabla.bench.store.StoreBench;
import io.knabla.bench.warm.WarmBench;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command line of {@code ./knabla bench}: runs one benchmark and prints its report. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "The project's own measurements, as ratios taken in one run.",
        footer = {"", "Example: bench cold --rounds 9 -o json"})
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
        spot
    }

    /** Output formats. */
    enum Format {
        table,
        json
    }

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
    private Set<String> rows = Set.of();

    @Override
    public Integer call() {
        if (rounds < 1) {
            System.err.println("--rounds must be at least 1, was " + rounds);
            return CommandLine.ExitCode.USAGE;
        }
        Predicate<String> wanted = row -> rows.isEmpty() || rows.contains(row);
        Progress progress = what -> System.err.println("bench " + name + ": " + what);
        Report report = new Report(name.name(), Host.describe(), measure(wanted, progress));
        if (report.rows().isEmpty()) {
            System.err.println("no such row: " + rows + "; leave --rows out to see them all");
            return CommandLine.ExitCode.USAGE;
        }
        switch (format) {
            case table -> System.out.print(ReportTable.write(report));
            case json -> System.out.println(ReportJson.write(report));
        }
        return CommandLine.ExitCode.OK;
    }

    private List<Row> measure(Predicate<String> wanted, Progress progress) {
        return switch (name) {
            case cold -> new ColdBench(Distribution.ofEnvironment(), rounds, wanted, progress).run();
            case serve -> new ServeBench(Distribution.ofEnvironment(), rounds, wanted, progress).run();
            case cluster -> new ClusterBench(Distribution.ofEnvironment(), rounds, wanted, progress).run();
            case store -> new StoreBench(rounds, wanted, progress).run();
            case warm -> new WarmBench(Distribution.ofEnvironment(), minutes, cluster, wanted, progress).run();
            case spot -> new SpotBench(rounds, wanted, progress).run();
            case cost -> new CostBench(rounds, wanted, progress).run();
            case autodiff -> new AutodiffBench(rounds, wanted, progress).run();
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
