package io.knabla.controller.cli.demo;

import io.knabla.controller.cli.CliFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a platform as a child process and records every process below it. */
final class ChildPlatform implements AutoCloseable {
    private static final String READY = "Knabla is ready: ";
    private static final Duration STOP_WITHIN = Duration.ofSeconds(40);
    private static final Duration DIE_WITHIN = Duration.ofSeconds(30);

    private final Process process;
    private final Path log;
    private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();
    private String url;

    private ChildPlatform(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ChildPlatform start(List<String> command, Path home) throws IOException {
        Path log = home.resolve("up.log");
        var builder = new ProcessBuilder(command)
                .redirectError(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        // Settings of the user's own platform must not reach this one.
        List.of("KNABLA_SERVER", "KNABLA_TOKEN", "KNABLA_STORE", "KNABLA_PORT", "KNABLA_HOST")
                .forEach(builder.environment()::remove);
        builder.environment().put("KNABLA_HOME", home.toString());
        var platform = new ChildPlatform(builder.start(), log);
        try {
            platform.awaitReady();
        } catch (IOException | CliFailure failed) {
            platform.close();
            throw failed;
        }
        return platform;
    }

    private void awaitReady() throws IOException {
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(READY)) {
                url = line.substring(READY.length()).strip();
                Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> recordProcesses()));
                return;
            }
        }
        List<String> told = Files.readAllLines(log);
        throw CliFailure.withFaults(
                "the platform ended before it was ready; the end of its log:",
                told.subList(Math.max(0, told.size() - 15), told.size()));
    }

    String url() {
        return url;
    }

    /** Records the processes that run now, to check at the end that they are gone. */
    void recordProcesses() {
        process.descendants().forEach(seen::add);
    }

    int processes() {
        return (int) process.descendants().filter(ProcessHandle::isAlive).count();
    }

    /** Stops the platform as Ctrl-C would; returns the processes that still run afterwards. */
    List<Long> stop() {
        recordProcesses();
        process.destroy();
        try {
            process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            awaitEnd();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        var left = new ArrayList<Long>();
        if (process.isAlive()) {
            left.add(process.pid());
        }
        seen.stream().filter(ProcessHandle::isAlive).map(ProcessHandle::pid).forEach(left::add);
        return left;
    }

    /** Waits for the replicas, which end a moment after their controller. */
    private void awaitEnd() throws InterruptedException {
        var ends = seen.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(DIE_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException stillThere) {
            // The caller checks and reports which ones.
        }
    }

    @Override
    public void close() {
        recordProcesses();
        if (process.isAlive()) {
            stop();
        }
        process.destroyForcibly();
        seen.forEach(ProcessHandle::destroyForcibly);
    }
}
