package io.knabla.controller.cli.verbs.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import io.knabla.controller.cli.verbs.function.FunctionPrinter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends all calls to an earlier version. */
@Command(
        name = "rollback",
        description =
                "Sends all calls to an earlier version: the one of --to, else the one that shares the traffic with"
                        + " the newest, else the one before the newest.",
        footer = {"", "Example:", "  ./knabla rollback digits --to 1"})
public final class RollbackCommand implements Callable<Integer> {
    @Mixin
    NameArgument function;

    @Option(names = "--to", paramLabel = "VERSION", description = "The version to return to.")
    Integer to;

    private final Context context;

    public RollbackCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PlatformClient platform = context.platform();
        String path = PlatformClient.functionPath(context.namespace(), function.name);
        platform.send("POST", path + "/rollback", to == null ? Map.of() : Map.of("to", to));
        JsonNode view = platform.get(path);
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(view);
            case name, table, wide ->
                context.console()
                        .print(
                                "function %s/%s: %s",
                                context.namespace(), function.name, FunctionPrinter.traffic(view.path("traffic")));
        }
        return ExitCodes.SUCCESS;
    }
}
