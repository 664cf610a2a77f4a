package io.knabla.controller.cli.verbs.spot;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Announces a higher risk of an interruption. */
@Command(
        name = "rebalance",
        description = "Announces that spot nodes are at a higher risk of an interruption: replacements start first.",
        footer = {"", "Example:", "  ./knabla spot rebalance local-a"})
public final class SpotRebalanceCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "WHERE", description = "A node, a zone or a replica.")
    String where;

    private final Context context;

    public SpotRebalanceCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var drills = new SpotDrills(context);
        drills.print(drills.send(where, "rebalance", Map.of()));
        return ExitCodes.SUCCESS;
    }
}
