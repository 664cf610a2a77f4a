package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.CommonOptions;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.WritesFile;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.launcher.PlatformRunner;
import io.knabla.controller.cli.verbs.simulate.Simulations;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** Builds the picocli command line: verbs, error reporting, colours. */
public final class CommandLines {
    /** The system's words for EPIPE. */
    private static final String READER_LEFT = "Broken pipe";

    private CommandLines() {}

    /** @param up how {@code up} runs the platform: in this JVM or in another one */
    public static CommandLine make(PlatformRunner up) {
        return make(up, Console.ofProcess());
    }

    public static CommandLine make(PlatformRunner up, Console console) {
        return make(up, console, Simulations.NONE);
    }

    public static CommandLine make(PlatformRunner up, Console console, Simulations simulations) {
        var root = new KnablaCommand();
        var line = new CommandLine(root);
        var context = new Context(root.common, console);
        Verbs.addTo(line, context, up, simulations);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(console.colourOut() ? Ansi.ON : Ansi.OFF));
        line.setOut(new PrintWriter(console.out(), true));
        line.setErr(new PrintWriter(console.err(), true));
        line.setUsageHelpAutoWidth(false);
        line.setParameterExceptionHandler(CommandLines::usageError);
        line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, console, root.common.verbose));
        line.setExecutionStrategy(parsed -> {
            try (context) {
                return written(run(parsed, root.common), console);
            }
        });
        return line;
    }

    /** A verb whose output is not written has failed; silently if its reader has left, such as {@code head}. */
    private static int written(int status, Console console) {
        Optional<String> why = console.unwritten();
        why.filter(cause -> !cause.equals(READER_LEFT))
                .ifPresent(cause ->
                        console.error("cannot write the output: %s. Run it again, and write to where there is room."
                                .formatted(cause)));
        return why.isPresent() && status == ExitCodes.SUCCESS ? ExitCodes.FAILED : status;
    }

    private static int run(CommandLine.ParseResult parsed, CommonOptions common) {
        CommandLine verb = parsed.asCommandLineList().getLast();
        common.fault(verb.getCommand() instanceof WritesFile).ifPresent(fault -> {
            throw new ParameterException(verb, fault);
        });
        return runOrShowHelp(parsed);
    }

    /** Without a verb, prints the help and returns the exit code for wrong usage. */
    private static int runOrShowHelp(CommandLine.ParseResult parsed) {
        boolean asked = parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested();
        if (!parsed.hasSubcommand() && !asked) {
            CommandLine line = parsed.commandSpec().commandLine();
            line.usage(line.getErr());
            return ExitCodes.USAGE_ERROR;
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int usageError(ParameterException fault, String[] args) {
        CommandLine line = fault.getCommandLine();
        PrintWriter err = line.getErr();
        err.println("knabla: " + fault.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(fault, err)) {
            line.getHelp();
        }
        err.println("Try: ./" + line.getCommandSpec().qualifiedName(" ") + " --help");
        return ExitCodes.USAGE_ERROR;
    }

    private static int failed(Exception failure, Console console, boolean verbose) {
        console.error(message(failure));
        if (verbose) {
            if (failure instanceof CliFailure known && !known.explainedAt().isEmpty()) {
                console.error("explained at " + known.explainedAt());
            }
            failure.printStackTrace(console.err());
        }
        return failure instanceof CliFailure known ? known.exitCode() : ExitCodes.FAILED;
    }

    private static String message(Exception failure) {
        return failure instanceof CliFailure
                ? failure.getMessage()
                : "%s. This is a bug in knabla; run the command again with -v and report its output."
                        .formatted(failure);
    }
}
