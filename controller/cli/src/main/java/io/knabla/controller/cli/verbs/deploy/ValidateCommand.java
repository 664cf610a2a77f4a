package io.knabla.controller.cli.verbs.deploy;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks a function.yaml and its model on this machine, without a platform. */
@Command(
        name = "validate",
        description = "Checks a function.yaml and its model as deploy would, without a platform.",
        footer = {"", "Example:", "  ./knabla validate -f functions/samples/digits/function.yaml"})
public final class ValidateCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "A function.yaml, with one function or several; - reads standard input.")
    String file;

    private final Context context;

    public ValidateCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        FunctionFile.read(file, context.options().namespace).forEach(new DryRun(context)::check);
        return ExitCodes.SUCCESS;
    }
}
