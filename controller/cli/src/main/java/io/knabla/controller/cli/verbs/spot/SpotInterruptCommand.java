package io.knabla.controller.cli.verbs.spot;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes virtual spot nodes back. */
@Command(
        name = "interrupt",
        description = "Announces that spot nodes are taken back, and takes them back when the notice ends.",
        footer = {"", "Example:", "  ./knabla spot interrupt spot-a --notice 120s"})
public final class SpotInterruptCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "WHERE", description = "A node, a zone or a replica.")
    String where;

    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            defaultValue = "120s",
            description = "Time from the announcement to the end, in seconds or longer (default: ${DEFAULT-VALUE}); 0s"
                    + " kills the replicas at once.")
    String notice;

    private final Context context;

    public SpotInterruptCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var drills = new SpotDrills(context);
        drills.print(
                drills.send(where, "interruption", Map.of("noticeSeconds", SpotDrills.seconds("--notice", notice))));
        return ExitCodes.SUCCESS;
    }
}
