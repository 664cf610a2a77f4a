package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.Platform;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes functions away, with their versions and replicas. */
@Command(
        name = "delete",
        aliases = "rm",
        description = "Deletes functions: all versions, and every replica.",
        footer = {"", "Example:", "  ./knabla delete digits"})
final class DeleteCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "NAME", description = "The functions' names.")
    List<String> names;

    private final Context context;

    DeleteCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Platform platform = context.platform();
        for (String name : names) {
            String path = Platform.function(context.namespace(), name);
            platform.expectGood(
                    platform.api("DELETE", path, BodyPublishers.noBody(), Map.of()),
                    "DELETE " + path);
            context.console().print("function %s/%s deleted", context.namespace(), name);
        }
        return ExitCodes.GOOD;
    }
}
