package io.knabla.controller.local.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A replica process without a unit, which waits for an assignment on its standard input. Its environment holds nothing
 * of any function.
 *
 * @param events its standard output
 * @param leave to be called when it leaves the pool, by its assignment or its end
 * @param cleanUp to be called when its process has ended
 */
public record PoolMember(Process process, BufferedReader events, Runnable leave, Runnable cleanUp) {
    /** Longer assignments may not fit into a pipe, and a write would wait. */
    private static final int LONGEST = 32 << 10;

    private static final String READY = "\"event\":\"pooled\"";

    /** Whether an assignment can carry this environment. */
    public static boolean canCarry(Map<String, String> environment) {
        return bytes(environment).length <= LONGEST;
    }

    /**
     * Assigns it to one replica, for good.
     *
     * @throws IOException if it has ended
     */
    public void assign(Map<String, String> environment) throws IOException {
        // Not closed: the end of its standard input would end the process.
        OutputStream input = process.getOutputStream();
        input.write(bytes(environment));
        input.flush();
    }

    /** In the format of {@code /proc/PID/environ}, and an empty entry at the end. */
    private static byte[] bytes(Map<String, String> environment) {
        StringBuilder entries = new StringBuilder();
        environment.forEach(
                (name, value) -> entries.append(name).append('=').append(value).append('\0'));
        return entries.append('\0').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Waits until it can be assigned; false if it ended instead. */
    boolean awaitReady() throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.contains(READY)) {
                return true;
            }
        }
        return false;
    }

    /** The last line of its log. */
    String lastWords() {
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
            return errors.lines().reduce((_, last) -> last).orElse("it logged nothing");
        } catch (IOException | java.io.UncheckedIOException closed) {
            return "its log cannot be read";
        }
    }

    /** Kills it; the result is complete when nothing is left of it. */
    public CompletableFuture<Void> end() {
        leave.run();
        process.toHandle().destroyForcibly();
        return process.onExit().thenRun(cleanUp);
    }
}
