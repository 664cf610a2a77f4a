package io.knabla.controller.cli.verbs.help;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.kube.ContextNames;
import io.knabla.controller.cli.verbs.context.Context;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists the names of contexts for the completion of {@code --context}; see {@link CompletionCommand}. */
@Command(
        name = "contexts",
        hidden = true,
        description = "Prints the names of the kubeconfig's contexts, if there are any.",
        footer = {"", "Example:", "  ./knabla contexts"})
public final class ContextsCommand implements Callable<Integer> {
    private final Context context;

    public ContextsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String files = System.getenv().getOrDefault("KUBECONFIG", "");
        Path home = Path.of(System.getProperty("user.home"));
        ContextNames.in(files, home).forEach(name -> context.console().print("%s", name));
        return ExitCodes.SUCCESS;
    }
}
