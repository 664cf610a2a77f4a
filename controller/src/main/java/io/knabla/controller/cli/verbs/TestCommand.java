package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands in the help; the launcher runs it, because tests must not need a build that works. */
@Command(
        name = "test",
        description = "Runs everything that the project checks about itself (./knabla test --help).",
        footer = {"", "Example:", "  ./knabla test"})
final class TestCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "A longer suite.")
    String suite;

    @Override
    public Integer call() {
        throw CliFailure.wrongUse("write the verb first: ./knabla test");
    }
}
