package io.knabla.runtime.assemble;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A replica process, started as by a launcher: environment in, event lines out, with its own temporary folder. */
public final class ReplicaProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("\"listening\",\"port\":(\\d+)");

    private final Process process;
    private final BufferedReader events;
    private final Path temp;

    public ReplicaProcess(List<String> command, Map<String, String> environment) throws IOException {
        temp = Files.createTempDirectory("knabla-replica");
        var full = new ArrayList<>(command);
        full.add(1, "-Djava.io.tmpdir=" + temp);
        var builder = new ProcessBuilder(full).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        events = process.inputReader();
    }

    public Process process() {
        return process;
    }

    /** Gives a member of the pool its unit. */
    public void assign(Map<String, String> environment) throws IOException {
        var entries = new StringBuilder();
        environment.forEach(
                (name, value) -> entries.append(name).append('=').append(value).append('\0'));
        process.getOutputStream().write(entries.append('\0').toString().getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** The next event line; null at the end. */
    public String event() throws IOException {
        return events.readLine();
    }

    public int port() throws IOException {
        for (String line = event(); line != null; line = event()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException("the replica ended before it listened");
    }

    /** Sends SIGTERM and waits for the exit. */
    public int terminate() throws InterruptedException, IOException {
        // Through the handle: Process.destroy would also close the pipes of a JVM that still writes.
        process.toHandle().destroy();
        // A training run writes the cache at exit.
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            throw new IOException("the replica did not end after SIGTERM");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        try (var files = Files.walk(temp)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
