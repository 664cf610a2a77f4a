package io.knabla.controller.cli.verbs.spot;

import io.knabla.controller.cli.CliFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Groups the verbs that interrupt virtual spot nodes. */
@Command(
        name = "spot",
        description = {
            "Takes virtual spot nodes of this machine back, as a cloud takes spot nodes back: to see what a function does"
                    + " then. A node returns after spot.nodeReturn of config.yaml (190s).",
            "WHERE is a node, a zone, which stands for its spot nodes, or a replica, which stands for its node."
        },
        synopsisSubcommandLabel = "WHAT",
        footer = {
            "",
            "Examples:",
            "  ./knabla spot interrupt spot-a --notice 120s",
            "  ./knabla spot rebalance local-a",
            "  ./knabla spot chaos --rate 6/min --for 60s --notice 10s"
        })
public final class SpotCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw CliFailure.usageError("write what to do: ./knabla spot interrupt, rebalance or chaos");
    }
}
