package io.knabla.controller.cli;

import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.verbs.Up;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Result of running the command line in this JVM: output and exit code. */
record Ran(int status, String out, String err) {
    static Ran knabla(String... args) {
        return with(_ -> 0, args);
    }

    static Ran with(Up up, String... args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var console = Console.plain(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = CommandLines.make(up, console).execute(args);
        return new Ran(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    String lastLine() {
        return out.strip().lines().reduce("", (_, line) -> line);
    }
}
