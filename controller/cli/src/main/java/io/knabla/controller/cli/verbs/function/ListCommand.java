package io.knabla.controller.cli.verbs.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists functions, one per line. */
@Command(
        name = "list",
        aliases = "ls",
        description = "Lists the functions of all namespaces, or of one with -n.",
        footer = {"", "Example:", "  ./knabla list -o wide"})
public final class ListCommand implements Callable<Integer> {
    private final Context context;

    public ListCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String namespace = context.options().namespace;
        JsonNode answer = context.platform()
                .get("/functions" + (namespace == null ? "" : "?namespace=" + PlatformClient.pathSegment(namespace)));
        new FunctionPrinter(context).functions(answer);
        return ExitCodes.SUCCESS;
    }
}
