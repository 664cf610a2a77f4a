package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the launcher in a temporary checkout, with stubs of Maven and Java that record their arguments. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest extends LauncherCheckout {
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
    void refusesAnUnknownBenchmarkBeforeItBuilds() throws Exception {
        jdk("25.0.3");
        maven("exit 0");

        CommandResult bench = knabla("bench", "colld");

        assertThat(bench.status()).isEqualTo(2);
        assertThat(bench.err()).contains("there is no benchmark 'colld'; write cold, serve");
        assertThat(builds()).isZero();
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
        assertThat(temp.resolve("maven.calls"))
                .content()
                .isEqualTo("verify -T 2 -Dspotless.check.skip -Dcheckstyle.skip\n");
    }

    /** Reports of failed classes as TestReports prints them; Maven fails as long as a file says so. */
    private void failedClasses(String... lines) throws IOException {
        jdk("25.0.3");
        script(
                jvms.resolve("jdk-25.0.3/bin/java"),
                "case \"$*\" in *'TestReports.java failed'*) cat '%s' ;; *output*) echo 'as it failed' ;; *messages*) echo 'why it failed' ;; esac"
                        .formatted(Files.write(temp.resolve("failed"), List.of(lines))));
    }

    @Test
    void aClassThatFailsIsRunOnceMoreAndNamed() throws Exception {
        failedClasses("controller surefire io.knabla.ATest", "controller/cost failsafe io.knabla.BIT");
        maven("echo \"run $*\"");

        CommandResult ran = knabla("test", "--rerun");

        assertThat(ran.status()).isZero();
        assertThat(Files.readAllLines(temp.resolve("maven.calls")).getLast())
                .contains("-pl controller,controller/cost -am", "-Dtest=io.knabla.ATest -Dit.test=io.knabla.BIT")
                .contains("-Dtest.jvms=1")
                .doesNotContain("failure.ignore");
        assertThat(ran.err()).contains("flaky: io.knabla.ATest (controller, suite default)");
        assertThat(checkout.resolve("target/flaky.txt"))
                .content()
                .contains("as it failed", "flaky: io.knabla.BIT (controller/cost, suite default)", "run verify -pl");
    }

    @Test
    void aClassThatFailsTwiceFailsTheSuite() throws Exception {
        failedClasses("controller surefire io.knabla.ATest");
        maven("case \"$*\" in *-Dtest=*) exit 1 ;; esac");

        CommandResult ran = knabla("test", "--rerun");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("once more, alone: io.knabla.ATest", "the tests failed");
        assertThat(checkout.resolve("target/failed.txt"))
                .hasContent("suite default, the first run:\nwhy it failed\n"
                        + "suite default, the second run, alone:\nwhy it failed");
        assertThat(checkout.resolve("target/flaky.txt")).doesNotExist();
    }

    @Test
    void manyFailuresAreNoChance() throws Exception {
        failedClasses("a surefire A", "a surefire B", "a surefire C", "a surefire D");
        maven("exit 0");

        CommandResult ran = knabla("test", "--rerun");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("4 test classes failed; at most 3 are run once more");
        assertThat(builds()).isEqualTo(1);
    }

    /** Of a log that does not grow; the real {@code java} and {@code jcmd} look at a real process. */
    @Test
    void aSuiteThatHangsIsEndedWithTheStacksOfItsProcesses() throws Exception {
        jdk("25.0.3");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        script(jvms.resolve("jdk-25.0.3/bin/java"), "exec '" + java + "' \"$@\"");
        Files.createDirectories(checkout.resolve(".ci"));
        Files.copy(Path.of("..", "..", ".ci", "StalledTests.java"), checkout.resolve(".ci/StalledTests.java"));
        Path folder = Files.createDirectories(temp.resolve("io/knabla"));
        Path hanging = Files.writeString(folder.resolve("Hanging.java"), """
                package io.knabla;
                class Hanging {
                    public static void main(String[] args) throws Exception { forever(args[0]); }
                    static void forever(String began) throws Exception {
                        java.nio.file.Files.createFile(java.nio.file.Path.of(began));
                        Thread.currentThread().join();
                    }
                }
                """);
        maven("""
                echo '[INFO] Tests run: 1'
                '%1$s' '%2$s' '%3$s' &
                until [ -e '%3$s' ] || ! kill -0 $!; do echo '[INFO] starting'; sleep 0.2; done
                wait
                exit 1
                """.formatted(java, hanging, temp.resolve("began")));
        ProcessBuilder launcher = launcher(List.of(checkout.resolve("knabla").toString(), "test", "--rerun"));
        launcher.environment().put("KNABLA_TEST_SILENCE", "2");

        CommandResult ran = run(launcher);

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("printed nothing for 2 s", "at io.knabla.Hanging.forever", "the tests failed")
                .doesNotContain("once more");
        assertThat(checkout.resolve("target/failed.txt")).content().contains("at io.knabla.Hanging.forever");
        assertThat(checkout.resolve("target/stalled")).isDirectoryContaining("glob:**-virtual.txt");
    }

    @Test
    void theLimitOfASuiteThatHangsIsANumber() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        ProcessBuilder launcher = launcher(List.of(checkout.resolve("knabla").toString(), "test"));
        launcher.environment().put("KNABLA_TEST_SILENCE", "20m");

        CommandResult ran = run(launcher);

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("a number of seconds", "'20m'");
        assertThat(builds()).isZero();
    }

    @Test
    void suitesPackageOnlyWhatTheLastBuildHasNot() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        Path calls = temp.resolve("maven.calls");

        knabla("test", "faults");
        assertThat(Files.readAllLines(calls)).last().asString().doesNotContain("packaged");

        knabla("test");
        knabla("test", "faults");
        assertThat(Files.readAllLines(calls)).last().asString().contains("-Dbuild.packaged=true");

        Files.writeString(checkout.resolve("controller/src/main/A.java"), "class A { int a; }");
        knabla("test", "faults");
        assertThat(Files.readAllLines(calls)).last().asString().doesNotContain("packaged");
    }

    @Test
    void thoroughRunsAllWithFullCounts() throws Exception {
        jdk("25.0.3");
        maven("exit 0");

        CommandResult ran = knabla("test", "thorough");

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(temp.resolve("maven.calls"))
                .content()
                .contains("verify -Dknabla.thorough=true", "*Test,", "*IT,", "OnRealServers")
                .doesNotContain("ManyFunctionsOnCluster");
    }

    @Test
    void onlyThoroughAppliesManyFunctionsToACluster() throws Exception {
        jdk("25.0.3");
        maven("exit 0");
        for (String suite : List.of("cluster", "thorough")) {
            ProcessBuilder ran = launcher(List.of(checkout.resolve("knabla").toString(), "test", suite));
            ran.environment().putAll(Map.of("KUBECONFIG", "k", "INGRESS_URL", "i", "REGISTRY", "r"));
            assertThat(ran.start().waitFor()).isZero();
        }

        assertThat(Files.readAllLines(temp.resolve("maven.calls")))
                .anyMatch(call -> call.contains("-Dit.test=*OnCluster,!ManyFunctionsOnCluster"))
                .anyMatch(call -> call.contains("-Dit.test=*IT,DemoOnRealServers,ManyFunctionsOnCluster"));
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
