package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands in sequence, with all output in one log.
 *
 * @param environment the complete environment of the commands
 */
record Shell(Map<String, String> environment, Path log) {
    private static final int LIMIT_MINUTES = 10;

    /** Runs a command; returns the problem if it failed. */
    Optional<String> run(List<String> command) {
        // Through a shell, because Java looks up commands only in its own PATH.
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
        all.addAll(command);
        var builder = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            return outcome(command, builder.start());
        } catch (IOException absent) {
            return Optional.of(absent.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private Optional<String> outcome(List<String> command, Process process) throws InterruptedException, IOException {
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return Optional.of("'%s' took more than %d minutes".formatted(String.join(" ", command), LIMIT_MINUTES));
        }
        if (process.exitValue() == 0) {
            return Optional.empty();
        }
        return Optional.of("'%s' ended with %d: %s (all of it in %s)"
                .formatted(String.join(" ", command), process.exitValue(), lastLine(), log));
    }

    private String lastLine() throws IOException {
        List<String> lines =
                Files.readString(log, StandardCharsets.UTF_8).lines().toList();
        return lines.isEmpty() ? "no output" : lines.getLast();
    }
}
