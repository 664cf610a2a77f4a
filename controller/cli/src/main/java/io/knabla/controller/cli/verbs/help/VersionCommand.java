package io.knabla.controller.cli.verbs.help;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints this build and its Java runtime, as {@code --version} does. */
@Command(
        name = "version",
        description = "Prints the version of Knabla and of Java.",
        footer = {"", "Example:", "  ./knabla version"})
public final class VersionCommand implements Callable<Integer> {
    private final Context context;

    public VersionCommand(Context context) {
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
