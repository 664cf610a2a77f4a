package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.StandardStream;
import io.knabla.controller.cli.verbs.CommandLines;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Standard output on a full disk, and to a reader that has left. */
@Timeout(60)
class UnwrittenOutputTest {
    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult run(OutputStream out, OutputStream err, String... args) {
        var told = new ByteArrayOutputStream();
        var console = Console.plain(
                new StandardStream(out), err == null ? new PrintStream(told, true) : new StandardStream(err));
        int status = CommandLines.make(_ -> 0, console).execute(args);
        return new CommandResult(status, "", told.toString(StandardCharsets.UTF_8));
    }

    private static OutputStream withoutReader() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().close();
        return Channels.newOutputStream(pipe.sink());
    }

    @Test
    void aFullDiskIsTold() throws IOException {
        platform.on("GET /api/v1/costs?format=focus&tz=UTC", Reply.ok("a,b\n1,2"));
        try (var full = new FileOutputStream("/dev/full")) {
            CommandResult cost = run(full, null, "cost", "-o", "focus", "--tz", "UTC", "--server", platform.url());

            assertThat(cost.status()).isEqualTo(ExitCodes.FAILED);
            assertThat(cost.err()).startsWith("knabla: cannot write the output: No space left on device.");
        }
    }

    @Test
    void aLogThatIsFollowedEndsWithItsReader() throws IOException {
        platform.on("GET /api/v1/functions/default/digits/logs?follow=true", Reply.endless("data: one\n\n"));
        try (OutputStream pipe = withoutReader()) {
            CommandResult logs = run(pipe, null, "logs", "digits", "-f", "--server", platform.url());

            assertThat(logs.status()).isEqualTo(ExitCodes.FAILED);
            assertThat(logs.err()).isEmpty();
        }
    }

    @Test
    void costsThatAreWatchedEndWithTheirReader() throws IOException {
        platform.on("GET /api/v1/costs/now?tz=UTC", Reply.ok("{\"nodes\": 1}"));
        try (OutputStream pipe = withoutReader()) {
            CommandResult watch = run(
                    OutputStream.nullOutputStream(),
                    pipe,
                    "cost",
                    "--watch",
                    "--interval",
                    "1ms",
                    "--tz",
                    "UTC",
                    "--server",
                    platform.url());

            assertThat(watch.status()).isEqualTo(ExitCodes.FAILED);
        }
    }
}
