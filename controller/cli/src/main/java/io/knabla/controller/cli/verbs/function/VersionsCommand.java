package io.knabla.controller.cli.verbs.function;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the versions of a function. */
@Command(
        name = "versions",
        description = "Lists the versions of a function, with their share of the traffic.",
        footer = {"", "Example:", "  ./knabla versions digits"})
public final class VersionsCommand implements Callable<Integer> {
    @Mixin
    NameArgument function;

    private final Context context;

    public VersionsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String path = PlatformClient.functionPath(context.namespace(), function.name) + "/versions";
        new FunctionPrinter(context).versions(context.platform().get(path));
        return ExitCodes.SUCCESS;
    }
}
