package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A temporary checkout with the launcher, and stubs of Maven and Java that record their arguments. */
abstract class LauncherCheckout {
    private static final List<String> TOOLS = List.of(
            "sh",
            "dirname",
            "readlink",
            "find",
            "head",
            "tail",
            "sed",
            "grep",
            "cat",
            "rm",
            "mv",
            "mkdir",
            "ln",
            "sleep",
            "date",
            "awk",
            "wc",
            "tee");

    @TempDir
    Path temp;

    Path checkout;
    Path path;
    Path jvms;

    @BeforeEach
    void layOut() throws IOException {
        checkout = Files.createDirectories(temp.resolve("a checkout"));
        Path launcher = Path.of("..", "..", "knabla");
        assertThat(launcher).as("tests run in the module's folder").exists();
        Files.copy(launcher, checkout.resolve("knabla"));
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Files.createDirectories(checkout.resolve("controller/src/main"));
        Files.writeString(checkout.resolve("controller/pom.xml"), "<project/>");
        Files.writeString(checkout.resolve("controller/src/main/A.java"), "class A {}");
        path = Files.createDirectories(temp.resolve("bin"));
        jvms = Files.createDirectories(temp.resolve("jvms"));
        for (String tool : TOOLS) {
            script(path.resolve(tool), "exec " + which(tool) + " \"$@\"");
        }
    }

    static Path which(String tool) {
        return List.of("/bin/", "/usr/bin/").stream()
                .map(folder -> Path.of(folder + tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("this system has no " + tool));
    }

    void jdk(String version) throws IOException {
        Path home = Files.createDirectories(jvms.resolve("jdk-" + version));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), "echo \"java of " + version + ": $*\"");
        script(home.resolve("bin/javac"), "exit 0");
    }

    void maven(String last) throws IOException {
        script(path.resolve("mvn"), "echo \"$*\" >>../maven.calls\n" + last);
    }

    static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    CommandResult knabla(String... args) throws IOException, InterruptedException {
        var command =
                new java.util.ArrayList<>(List.of(checkout.resolve("knabla").toString()));
        command.addAll(List.of(args));
        return run(command);
    }

    CommandResult run(List<String> command) throws IOException, InterruptedException {
        return run(launcher(command));
    }

    CommandResult run(ProcessBuilder launcher) throws IOException, InterruptedException {
        Path out = temp.resolve("out");
        Path err = temp.resolve("err");
        int status = launcher.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new CommandResult(
                status, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    ProcessBuilder launcher(List<String> command) {
        var builder = new ProcessBuilder(command).directory(temp.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", path.toString(),
                        "HOME", temp.toString(),
                        "KNABLA_JVMS", jvms.toString()));
        return builder;
    }
}
