package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Parent of the simulations. */
@Command(
        name = "simulate",
        description = "Replays traces against policies, with the baselines beside them.",
        synopsisSubcommandLabel = "WHAT",
        footer = {"", "Example:", "  ./knabla simulate spot --policy Adaptive,SpotHedge"})
final class SimulateCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw CliFailure.usageError("write what to simulate: ./knabla simulate spot");
    }
}
