package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.demo.DemoRun;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The main job on this machine from nothing. */
@Command(
        name = "demo",
        description =
                "Shows the main job from nothing: starts a platform of its own, deploys the samples,"
                        + " calls them, lets them sleep and wakes them. Leaves nothing behind.",
        footer = {"", "Example:", "  ./knabla demo"})
final class DemoCommand implements Callable<Integer> {
    private final Context context;

    DemoCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        new DemoRun(context, Launcher.root()).run();
        return ExitCodes.GOOD;
    }
}
