package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.verbs.CommandLines;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.launcher.LauncherPlatformRunner;
import java.util.List;

/** Entry point of the command line with the simulations, which the launcher starts for {@code simulate}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(CommandLines.make(new LauncherPlatformRunner(), Console.ofProcess(), Main::simulations)
                .execute(args));
    }

    static List<Object> simulations(Context context) {
        return List.of(
                new SimulateSpotCommand(context),
                new SimulateWarmCommand(context),
                new SimulateGenerationCommand(context));
    }
}
