package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child process with a temporary folder; {@link #close()} removes both. */
public final class ChildProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final Path folder;
    private final long startNanos;

    private ChildProcess(Process process, Path folder, long startNanos) {
        this.process = process;
        this.folder = folder;
        this.startNanos = startNanos;
    }

    /** Arguments and environment of a child; {@code {tmp}} in either is replaced by its temporary folder. */
    public record Command(List<String> arguments, Map<String, String> environment) {
        public Command {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }
    }

    public static ChildProcess start(Command command) {
        Path folder = Folders.temporary();
        try {
            String tmp = Files.createDirectory(folder.resolve("tmp")).toString();
            var builder = new ProcessBuilder(command.arguments().stream()
                    .map(argument -> argument.replace("{tmp}", tmp))
                    .toList());
            // JVM options for the harness must not reach the measured processes.
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            builder.environment().remove("JDK_JAVA_OPTIONS");
            command.environment()
                    .forEach((name, value) -> builder.environment().put(name, value.replace("{tmp}", tmp)));
            builder.redirectOutput(Redirect.to(folder.resolve("out").toFile()));
            builder.redirectError(Redirect.to(folder.resolve("err").toFile()));
            long startNanos = System.nanoTime();
            Process process = builder.start();
            ShutdownCleanup.add(process);
            return new ChildProcess(process, folder, startNanos);
        } catch (IOException error) {
            Folders.delete(folder);
            throw new UncheckedIOException("cannot start " + command.arguments(), error);
        }
    }

    /** Writes to the child's standard input, and leaves it open. */
    public void send(byte[] bytes) {
        try {
            process.getOutputStream().write(bytes);
            process.getOutputStream().flush();
        } catch (IOException ended) {
            throw new UncheckedIOException("a child takes no input; it said: " + outputTail(), ended);
        }
    }

    public long pid() {
        return process.pid();
    }

    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** {@link System#nanoTime} just before the process was created. */
    public long startNanos() {
        return startNanos;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Standard output of the child so far. */
    public String output() {
        return read("out");
    }

    /** The end of its standard error and output, for an error message. */
    public String outputTail() {
        String all = read("err") + read("out");
        return all.length() <= 2000 ? all : all.substring(all.length() - 2000);
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException error) {
            throw new UncheckedIOException("cannot read the child's " + name, error);
        }
    }

    /** Kills the child and its descendants (SIGKILL) and deletes its folder. */
    @Override
    public void close() {
        ShutdownCleanup.kill(process);
        end(process);
    }

    /** Stops the child with SIGTERM and waits, for a child that has children itself; then closes it. */
    public void stop() {
        process.destroy();
        try {
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private void end(Process ending) {
        ending.onExit().join();
        ShutdownCleanup.remove(process);
        Folders.delete(folder);
    }
}
