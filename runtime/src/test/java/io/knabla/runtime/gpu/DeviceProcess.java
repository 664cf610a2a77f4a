package io.knabla.runtime.gpu;

import io.knabla.runtime.modes.DeviceTrial;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process of {@link DeviceTrial}: a library that was opened, or a sticky error, stays in a process for good. */
final class DeviceProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    DeviceProcess(Map<String, String> environment) throws IOException {
        process = start(DeviceTrial.class, environment);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a class of the tests, with the engine that the build unpacked. */
    static Process start(Class<?> main, Map<String, String> environment, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Donnxruntime.native.path=" + Path.of("target/replica/native").toAbsolutePath(),
                "-classpath",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Gives it one command and waits for its answer; fails if the process ended. */
    String ask(String command) throws IOException {
        var input = process.getOutputStream();
        input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process ended with exit code "
                    + process.onExit().join().exitValue());
        }
        return answer;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
