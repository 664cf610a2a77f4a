package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands in the help; the launcher builds the harness and runs it. */
@Command(
        name = "bench",
        description = "Measures Knabla against what people would use otherwise, as ratios in one run.",
        footer = {"", "Examples:", "  ./knabla bench cold", "  ./knabla bench serve -o json"})
final class BenchCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "NAME", description = "cold, serve, autodiff, store or cluster.")
    List<String> names;

    @Override
    public Integer call() {
        throw CliFailure.wrongUse("write the verb first: ./knabla bench %s", names.getFirst());
    }
}
