package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command of this machine that ended: what it printed and how it ended.
 *
 * @param command as a person would type it
 */
public record Ran(String command, int status, String out, String err) {
    static Ran of(List<String> command, Map<String, String> environment, String input) {
        try {
            Path errors = Files.createTempFile("knabla-ran", ".err");
            Path given = Files.writeString(Files.createTempFile("knabla-ran", ".in"), input);
            try {
                var builder = new ProcessBuilder(command);
                builder.redirectError(errors.toFile()).redirectInput(given.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                int status = process.waitFor();
                return new Ran(String.join(" ", command), status, out, Files.readString(errors));
            } finally {
                Files.delete(errors);
                Files.delete(given);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(command + " was interrupted", stopped);
        }
    }

    /** This, where the command ended well; else its whole output as the test's failure. */
    public Ran good() {
        if (status != 0) {
            throw new AssertionError("%s: exit code %d%n%s%s".formatted(command, status, out, err));
        }
        return this;
    }

    /** What a script reads: the last line of stdout. */
    public String lastLine() {
        return out.strip().lines().reduce("", (_, line) -> line);
    }
}
