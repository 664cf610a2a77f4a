package io.knabla.controller.cli.verbs.simulate;

import io.knabla.controller.cli.CliFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Parent of the simulations. */
@Command(
        name = "simulate",
        description = "Replays traces under the platform's policies, with published policies beside them.",
        synopsisSubcommandLabel = "WHAT",
        footer = {
            "",
            "Examples:",
            "  ./knabla simulate spot --policy Adaptive,SpotHedge",
            "  ./knabla simulate warm --trace requests.csv --policy Adaptive,Fixed,Hybrid -o json",
            "  ./knabla simulate generation --trace azure-code --tpot 20ms,50ms"
        })
public final class SimulateCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw CliFailure.usageError("write what to simulate: ./knabla simulate spot, warm or generation");
    }
}
