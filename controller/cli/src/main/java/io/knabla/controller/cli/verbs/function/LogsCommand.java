package io.knabla.controller.cli.verbs.function;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the logs of a function's replicas. */
@Command(
        name = "logs",
        description = "Prints the logs of a function's replicas.",
        footer = {"", "Example:", "  ./knabla logs digits -f"})
public final class LogsCommand implements Callable<Integer> {
    private static final String EVENT = "data:";

    @Mixin
    NameArgument function;

    @Option(
            names = {"-f", "--follow"},
            description = "Keep printing new lines until Ctrl-C.")
    boolean follow;

    private final Context context;

    public LogsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String path = PlatformClient.functionPath(context.namespace(), function.name) + "/logs";
        String accept = follow ? "text/event-stream" : "text/plain";
        var log = context.platform().stream(path + (follow ? "?follow=true" : ""), accept);
        try (var lines = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            // Ends with its reader too: a log that is followed has no end of its own.
            while (line != null && !context.console().out().checkError()) {
                print(line);
                line = lines.readLine();
            }
        } catch (IOException broken) {
            throw CliFailure.because(broken, "the log of '%s' broke off", function.name);
        }
        return ExitCodes.SUCCESS;
    }

    private void print(String line) {
        if (!follow) {
            context.console().print("%s", line);
        } else if (line.startsWith(EVENT)) {
            String text = line.substring(EVENT.length());
            context.console().print("%s", text.startsWith(" ") ? text.substring(1) : text);
        }
    }
}
