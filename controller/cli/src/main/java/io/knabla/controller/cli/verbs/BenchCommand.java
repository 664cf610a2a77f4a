package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Help entry of {@code bench}; the launcher script builds and runs the harness. */
@Command(
        name = "bench",
        description = "Benchmarks Knabla against alternatives, side by side in one run, and prints ratios.",
        footer = {"", "Examples:", "  ./knabla bench cold", "  ./knabla bench serve -o json"})
final class BenchCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "cold, serve, autodiff, store, cost, warm, spot or cluster.")
    List<String> names;

    @Override
    public Integer call() {
        throw CliFailure.usageError("write the verb first: ./knabla bench %s", names.getFirst());
    }
}
