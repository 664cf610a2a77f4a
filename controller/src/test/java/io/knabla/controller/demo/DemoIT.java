package io.knabla.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.controller.kill.PlatformProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how {@code functions/samples/demo.sh} ends when it is stopped or when something fails. */
@Timeout(300)
class DemoIT {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path folder;

    private Path temporary;
    private Path samples;
    private Process demo;

    /** Copies the script and one sample with one picture beside a launcher that never builds. */
    @BeforeEach
    void start() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
        samples = Files.createDirectories(folder.resolve("checkout/functions/samples"));
        copy("demo.sh", "demo.sh");
        copy("digits/function.yaml", "digits/function.yaml");
        copy("digits/digits.onnx", "digits/digits.onnx");
        writeLauncher("");
    }

    /** @param first lines of the launcher that come before all others */
    private void writeLauncher(String first) throws IOException {
        Path launcher = Files.writeString(folder.resolve("checkout/knabla"), """
                #!/bin/sh
                %3$s
                args=%1$s/cli/target/cli/cli.args
                if [ "$1" = up ]; then args=%1$s/target/quarkus-app/controller.args; fi
                exec %2$s/bin/java "@$args" "$@"
                """.formatted(
                        ROOT.resolve("controller"), System.getProperty("java.home"), first));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() {
        demo.destroy();
        demo.onExit().join();
    }

    @Test
    void stopsItsPlatformOnSigterm() throws Exception {
        ProcessHandle platform = startDemo();
        demo.destroy();
        assertThat(demo.waitFor()).isEqualTo(143);
        await().until(() -> !platform.isAlive());
        assertNothingIsLeft();
    }

    @Test
    void failsWhenItsPlatformIsKilled() throws Exception {
        startDemo().destroyForcibly();
        assertThat(demo.waitFor()).isEqualTo(1);
        assertThat(errors()).contains("knabla: the demo failed: './knabla ");
        assertNothingIsLeft();
    }

    @Test
    void saysWhyACallFailed() throws Exception {
        writeLauncher("if [ \"$1\" = invoke ]; then echo 'the engine is on strike' >&2; exit 1; fi");
        startDemo();
        assertThat(demo.inputReader().lines()).contains("the engine is on strike");
        assertThat(demo.waitFor()).isEqualTo(1);
        assertThat(errors()).contains("knabla: the demo failed: './knabla invoke ");
        assertNothingIsLeft();
    }

    @Test
    void failsOnAWrongAnswer() throws Exception {
        copy("digits/images/00-0.png", "digits/images/00-7.png");
        ProcessHandle platform = startDemo();
        assertThat(demo.inputReader().lines()).anyMatch(line -> line.endsWith("0 of 1 right"));
        assertThat(demo.waitFor()).isEqualTo(1);
        assertThat(errors()).contains("knabla: the demo failed: the digits are not recognised");
        await().until(() -> !platform.isAlive());
        assertNothingIsLeft();
    }

    /** Starts the demo and returns its platform when the first sample is being deployed. */
    private ProcessHandle startDemo() throws IOException {
        var builder = new ProcessBuilder(samples.resolve("demo.sh").toString())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().remove("KNABLA_STORE");
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("KNABLA_DIST", ROOT.toString());
        builder.environment()
                .put(
                        "KNABLA_REPLICA_HOME",
                        ROOT.resolve("runtime/target/replica").toString());
        demo = builder.start();
        String line = demo.inputReader().readLine();
        while (line != null && !line.startsWith("Deploy ")) {
            line = demo.inputReader().readLine();
        }
        assertThat(line).as(this::errors).isNotNull();
        return demo.descendants()
                .filter(process -> process.info().commandLine().orElse("").contains("controller.args"))
                .findFirst()
                .orElseThrow();
    }

    private void assertNothingIsLeft() throws IOException {
        // The demo kills what does not end by itself; a killed process is listed for a moment more.
        await().until(() -> PlatformProcess.replicasOf(temporary).isEmpty());
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files).isEmpty();
        }
    }

    private void copy(String from, String to) throws IOException {
        Path target = samples.resolve(to);
        Files.createDirectories(target.getParent());
        Files.copy(ROOT.resolve("functions/samples").resolve(from), target);
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
