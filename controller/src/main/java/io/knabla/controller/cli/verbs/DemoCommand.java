package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.demo.DemoRun;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The main job on this machine from nothing. */
@Command(
        name = "demo",
        description = "Shows the main job from nothing: starts a platform of its own, deploys the samples,"
                + " calls them, lets them sleep and wakes them. Leaves nothing running.",
        footer = {
            "",
            "Examples:",
            "  ./knabla demo",
            "  ./knabla demo --store s3://bucket/prefix     (AWS_* and KNABLA_S3_* say how to reach it)"
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "Object store, file:///… or s3://bucket/prefix, that keeps the functions (default:"
                    + " KNABLA_STORE, else a folder that goes with the demo).")
    String store;

    private final Context context;

    DemoCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Optional<String> place = Optional.ofNullable(store)
                .or(() -> Optional.ofNullable(System.getenv("KNABLA_STORE")))
                .filter(text -> !text.isBlank());
        new DemoRun(context, Launcher.root(), place).run();
        return ExitCodes.GOOD;
    }
}
