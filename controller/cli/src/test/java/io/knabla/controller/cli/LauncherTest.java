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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the launcher in a temporary checkout, with stubs of Maven and Java that record their arguments. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
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
            "tee");

    @TempDir
    Path temp;

    private Path checkout;
    private Path path;
    private Path jvms;

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

    private static Path which(String tool) {
        return List.of("/bin/", "/usr/bin/").stream()
                .map(folder -> Path.of(folder + tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("this system has no " + tool));
    }

    private void jdk(String version) throws IOException {
        Path home = Files.createDirectories(jvms.resolve("jdk-" + version));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), "echo \"java of " + version + ": $*\"");
        script(home.resolve("bin/javac"), "exit 0");
    }

    private void maven(String last) throws IOException {
        script(path.resolve("mvn"), "echo \"$*\" >>../maven.calls\n" + last);
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private CommandResult knabla(String... args) throws IOException, InterruptedException {
        var command =
                new java.util.ArrayList<>(List.of(checkout.resolve("knabla").toString()));
        command.addAll(List.of(args));
        return run(command);
    }

    private CommandResult run(List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(temp.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", path.toString(),
                        "HOME", temp.toString(),
                        "KNABLA_JVMS", jvms.toString()));
        Path out = temp.resolve("out");
        Path err = temp.resolve("err");
        int status = builder.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new CommandResult(
                status, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    private long builds() throws IOException {
        Path calls = temp.resolve("maven.calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    @Test
    void reportsMissingJdkAndUnfitOnesFound() throws Exception {
        jdk("17.0.9");

        CommandResult ran = knabla("list");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("needs a JDK 25 or newer", "Java 17.0.9 in", "JAVA_HOME");
    }

    @Test
    void reportsMissingMaven() throws Exception {
        jdk("25.0.3");

        CommandResult ran = knabla("list");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("Maven 3.8 or newer", "apt install maven");
    }

    @Test
    void rebuildsOnlyWhenSourcesChange() throws Exception {
        jdk("17.0.9");
        jdk("25.0.3");
        maven("exit 0");

        assertThat(knabla("list").out()).contains("java of 25.0.3", "cli.args list");
        assertThat(knabla("list").status()).isZero();
        assertThat(builds()).isEqualTo(1);

        Files.writeString(checkout.resolve("controller/src/main/A.java"), "class A { int a; }");
        knabla("list");
        assertThat(builds()).isEqualTo(2);

        Files.delete(checkout.resolve("controller/src/main/A.java"));
        knabla("list");
        assertThat(builds()).as("a deletion is a change").isEqualTo(3);

        Files.createDirectories(checkout.resolve("controller/src/test"));
        knabla("list");
        long before = builds();
        Files.writeString(checkout.resolve("controller/src/test/T.java"), "class T {}");
        knabla("list");
        assertThat(builds()).as("tests are no part of the program").isEqualTo(before);

        Files.createDirectories(checkout.resolve("controller/cli/src/main"));
        knabla("list");
        assertThat(builds()).as("a module within a module counts").isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "-q images --push a/b,           controller/images/target/lib/*",
        "-o json --server=x images,      controller/images/target/lib/*",
        "--context up images,            controller/images/target/lib/*",
        "-n team up,                     controller.args -n team up",
        "-n images list,                 cli.args -n images list",
        "describe images,                cli.args describe images",
        "-q bench cold,                  cli.args -q bench cold",
        "-q,                             cli.args -q"
    })
    void findsVerbAfterOptions(String words, String started) throws Exception {
        jdk("25.0.3");
        maven("exit 0");

        assertThat(knabla(words.split(" ")).out()).contains(started);
    }

    @Test
    void rebuildsForAnotherJdk() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        knabla("list");
        Files.move(jvms.resolve("jdk-25.0.3"), jvms.resolve("jdk-26"));

        knabla("list");

        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void printsEndOfFailedBuildAndRetries() throws Exception {
        jdk("25.0.3");
        maven("echo '[ERROR] A.java: does not compile'; exit 1");

        CommandResult ran = knabla("list");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("A.java: does not compile", "build.log");
        knabla("list");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void worksThroughSymbolicLinkFromAnyFolder() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        Path link = Files.createSymbolicLink(temp.resolve("k"), Path.of("a checkout", "knabla"));

        CommandResult ran = run(List.of(link.toString(), "list"));

        assertThat(ran.out()).contains(checkout.toRealPath() + "/controller/cli/target/cli/cli.args list");
    }

    @Test
    void takesOverLockOfDeadProcess() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.createDirectories(checkout.resolve("target"));
        Files.writeString(checkout.resolve("target/build.lock"), dead.pid() + "\n");

        assertThat(knabla("list").status()).isZero();
        assertThat(checkout.resolve("target/build.lock")).doesNotExist();
    }

    @Test
    void buildsOnceForConcurrentFirstUses() throws Exception {
        jdk("25.0.3");
        maven("sleep 0.5; exit 0");
        var first = new Thread(() -> quietly("list"));
        first.start();
        quietly("list");
        first.join();

        assertThat(builds()).isEqualTo(1);
    }

    private void quietly(String verb) {
        try {
            var builder = new ProcessBuilder(checkout.resolve("knabla").toString(), verb);
            builder.directory(temp.toFile());
            builder.environment().clear();
            builder.environment().put("PATH", path.toString());
            builder.environment().put("HOME", temp.toString());
            builder.environment().put("KNABLA_JVMS", jvms.toString());
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
            assertThat(builder.start().waitFor()).isZero();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void testForwardsSummaryLinesAndExitCode() throws Exception {
        jdk("25.0.3");
        maven("echo '[INFO] noise'; echo '[INFO] Tests run: 7, Failures: 1'; exit 3");

        CommandResult ran = knabla("test");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).contains("Tests run: 7, Failures: 1").doesNotContain("noise");
        assertThat(checkout.resolve("target/test.log")).content().contains("noise");
        assertThat(temp.resolve("maven.calls")).content().isEqualTo("verify\n");
    }

    @Test
    void thoroughRunsAllWithFullCounts() throws Exception {
        jdk("25.0.3");
        maven("exit 0");

        CommandResult ran = knabla("test", "thorough");

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(temp.resolve("maven.calls"))
                .content()
                .contains("verify -Dknabla.thorough=true", "*Test,", "*IT,", "OnRealServers");
    }

    @Test
    void clusterSuiteExplainsHowToGetCluster() throws Exception {
        jdk("25.0.3");
        maven("exit 0");

        CommandResult ran = knabla("test", "cluster");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("no cluster to test on", "kind", "KNABLA_TEST_CLUSTER");
        assertThat(temp.resolve("maven.calls")).doesNotExist();
    }

    @Test
    void rejectsUnknownSuite() throws Exception {
        jdk("25.0.3");

        CommandResult ran = knabla("test", "nonsense");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("no test suite 'nonsense'", "mutation");
    }
}
