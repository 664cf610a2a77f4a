package io.knabla.controller.cli.verbs.help;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the help of a verb: {@code help VERB} is the same as {@code VERB --help}. */
@Command(
        name = "help",
        description = "Shows the help of a verb.",
        footer = {"", "Example:", "  ./knabla help deploy"})
public final class HelpCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "VERB", description = "The verb.")
    String verb;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        CommandLine asked = verb == null ? root : root.getSubcommands().get(verb);
        if (asked == null) {
            throw CliFailure.usageError("there is no verb '%s'; ./knabla --help lists them", verb);
        }
        asked.usage(root.getOut());
        return ExitCodes.SUCCESS;
    }
}
