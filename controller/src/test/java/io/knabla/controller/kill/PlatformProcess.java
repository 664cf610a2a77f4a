package io.knabla.controller.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the assembled platform as a child process, like {@code ./knabla up}. */
public final class PlatformProcess implements AutoCloseable {
    private static final String READY = "Knabla is ready: ";
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private final Process process;
    private final URI address;

    private PlatformProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    public static PlatformProcess start(Path home) throws IOException {
        return start(home, Map.of());
    }

    /** @param environment settings besides the home, such as {@code KNABLA_STORE} */
    public static PlatformProcess start(Path home, Map<String, String> environment) throws IOException {
        return start(home, environment, List.of());
    }

    /** @param within command that runs the platform in its own process, such as {@code prlimit}; may be empty */
    public static PlatformProcess start(Path home, Map<String, String> environment, List<String> within)
            throws IOException {
        List<String> command = new ArrayList<>(within);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + ROOT.resolve("controller/target/quarkus-app/controller.args"));
        command.addAll(List.of("up", "--port", "0"));
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        home.resolve("controller.log").toFile()));
        builder.environment().putAll(environment);
        builder.environment().put("KNABLA_HOME", home.toString());
        builder.environment()
                .put(
                        "KNABLA_REPLICA_HOME",
                        ROOT.resolve("runtime/target/replica").toString());
        Process process = builder.start();
        return new PlatformProcess(process, awaitReady(process.inputReader(), home));
    }

    public URI address() {
        return address;
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Replica processes of this or an earlier platform, found by the home on their command line. */
    public static List<ProcessHandle> replicasOf(Path home) {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).contains(home.toString()))
                .toList();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    private static URI awaitReady(BufferedReader output, Path home) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                drain(output);
                return URI.create(line.substring(READY.length()).strip());
            }
        }
        throw new IOException("the platform ended: " + Files.readString(home.resolve("controller.log")));
    }

    /**
     * Drains the pipe: a platform that writes much must not block on it. Reading a pipe keeps a virtual thread's
     * carrier.
     */
    private static void drain(BufferedReader output) {
        Thread.ofPlatform().daemon().start(() -> {
            try (output) {
                while (output.readLine() != null) {}
            } catch (IOException killed) {
                throw new UncheckedIOException(killed);
            }
        });
    }
}
