package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CommandResult;

/** Runs the command line with the simulations in this JVM. */
final class Calls {
    private Calls() {}

    static CommandResult knabla(String... args) {
        return CommandResult.with(_ -> 0, Main::simulations, args);
    }
}
