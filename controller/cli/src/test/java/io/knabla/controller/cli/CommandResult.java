package io.knabla.controller.cli;

import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.verbs.CommandLines;
import io.knabla.controller.cli.verbs.launcher.PlatformRunner;
import io.knabla.controller.cli.verbs.simulate.Simulations;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Result of running the command line in this JVM: output and exit code. */
public record CommandResult(int status, String out, String err) {
    public static CommandResult knabla(String... args) {
        return with(_ -> 0, args);
    }

    static CommandResult with(PlatformRunner up, String... args) {
        return with(up, Simulations.NONE, args);
    }

    public static CommandResult with(PlatformRunner up, Simulations simulations, String... args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var console = Console.plain(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = CommandLines.make(up, console, simulations).execute(args);
        return new CommandResult(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    String lastLine() {
        return out.strip().lines().reduce("", (_, line) -> line);
    }
}
