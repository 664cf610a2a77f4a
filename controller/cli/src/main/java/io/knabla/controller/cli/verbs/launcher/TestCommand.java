package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Help entry of {@code test}; the launcher script runs the tests, because they must not depend on a working build. */
@Command(
        name = "test",
        description = "Runs the tests of the project (./knabla test --help lists the suites).",
        footer = {"", "Example:", "  ./knabla test"})
public final class TestCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "A longer suite.")
    String suite;

    @Override
    public Integer call() {
        throw CliFailure.usageError("write the verb first: ./knabla test");
    }
}
