package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Help entry of {@code bench}; the launcher script builds and runs the harness, which reads the options. */
@Command(
        name = "bench",
        description = {
            "Benchmarks Knabla against alternatives, side by side in one run, and prints ratios.",
            "",
            "Minutes are about those of all rows, with 9 rounds, on a quiet machine of two cores:",
            "  cold      14  from a process's start, or from a request, to the first answer",
            "  serve     10  requests per second, latencies, CPU time",
            "  autodiff   7  loss with gradients, recomputation",
            "  store      6  upload and download of units (on first use 4 more: it installs a server)",
            "  cost      10  a report of ten million usage rows, durable appends",
            "  warm      15  cold starts and memory under each keep-warm policy (--minutes: so many)",
            "  spot       1  decisions for 1,000 functions",
            "  generation 40 tokens per second, time to the first token (on first use 15 more: it installs peers)",
            "  cluster   40  from no pod to the answer; needs KUBECONFIG, INGRESS_URL, REGISTRY",
            "",
            "A row that fails does not end the others: they are printed, and the exit code is 1.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla bench cold",
            "  ./knabla bench serve -o json",
            "  ./knabla bench cold --rows start-1mb,burst-10 --rounds 3",
            "  ./knabla bench serve --against ../knabla-before"
        })
public final class BenchCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "cold, serve, autodiff, store, cost, warm, spot, generation or cluster.")
    List<String> names;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Only these rows; an unknown one is answered with all that there are.")
    List<String> rows;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of every comparison (default: 9).")
    Integer rounds;

    @Option(names = "--minutes", paramLabel = "N", description = "warm only: length of the run (default: 15).")
    Double minutes;

    @Option(names = "--cluster", description = "warm only: on the cluster of KUBECONFIG, not on this machine.")
    boolean cluster;

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description =
                    "cold, serve and cost: compare with the build of this checkout, on which ./knabla bench ran once.")
    String against;

    @Override
    public Integer call() {
        throw CliFailure.usageError("write the verb first: ./knabla bench %s", names.getFirst());
    }
}
