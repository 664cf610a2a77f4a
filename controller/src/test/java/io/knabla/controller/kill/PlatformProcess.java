package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
        // Few of them live long enough to gain from what the optimizing compiler costs.
        command.add("-XX:TieredStopAtLevel=1");
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

    /**
     * Waits until all replica processes of a killed platform have ended by themselves. Those of the pool start at the
     * lowest priority: beside many tests they would not run for minutes, so they get the usual one.
     */
    static void awaitEndOfReplicas(Path home) {
        await("replicas of a platform that is gone end by themselves").untilAsserted(() -> {
            List<ProcessHandle> left = replicasOf(home);
            for (ProcessHandle process : left) {
                raisePriority(process);
            }
            assertThat(left.stream().map(PlatformProcess::description)).isEmpty();
        });
    }

    private static void raisePriority(ProcessHandle process) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "0", "-p"));
        try (var threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            threads.forEach(thread -> command.add(thread.getFileName().toString()));
        } catch (NoSuchFileException ended) {
            return;
        }
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Its state, priority, CPU time and command. */
    private static String description(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")) + commandLine(process);
        } catch (IOException ended) {
            return "has ended meanwhile: " + process.pid();
        }
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
