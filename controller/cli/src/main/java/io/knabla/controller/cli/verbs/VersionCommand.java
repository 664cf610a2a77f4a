package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints this build and its Java runtime, as {@code --version} does. */
@Command(
        name = "version",
        description = "Prints the version of Knabla and of Java.",
        footer = {"", "Example:", "  ./knabla version"})
final class VersionCommand implements Callable<Integer> {
    private final Context context;

    VersionCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        for (String line : new BuildVersionProvider().getVersion()) {
            context.console().print("%s", line);
        }
        return ExitCodes.SUCCESS;
    }
}
