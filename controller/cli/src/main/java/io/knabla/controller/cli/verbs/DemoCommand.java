package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.demo.DemoRun;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demo: starts a platform on this machine, deploys the samples and calls them. */
@Command(
        name = "demo",
        description = "Shows a full run: starts its own platform, deploys the samples, calls them, lets them scale"
                + " to zero and wakes them. Leaves nothing running.",
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
            description = "Object store for the functions: file:///… or s3://bucket/prefix (default: KNABLA_STORE,"
                    + " else a folder that the demo deletes).")
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
        new DemoRun(context.console(), context.options().verbose, Launcher.root(), place, this::verb).run();
        return ExitCodes.SUCCESS;
    }

    private int verb(List<String> arguments) {
        return CommandLines.make(_ -> 1, context.console()).execute(arguments.toArray(String[]::new));
    }
}
