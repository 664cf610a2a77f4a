package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code up} with a platform that ends or that is told to. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class LauncherRestartTest extends LauncherCheckout {
    @BeforeEach
    void build() throws IOException {
        jdk("25.0.3");
        maven("exit 0");
        script(path.resolve("setpriv"), "exec " + which("setpriv") + " \"$@\"");
        script(path.resolve("true"), "exit 0");
    }

    /** @param body of the platform; {@code $run} is the number of this start */
    private void platform(String body) throws IOException {
        script(jvms.resolve("jdk-25.0.3/bin/java"), """
                echo run >>runs
                run=$(grep -c run runs)
                %s""".formatted(body));
    }

    private long runs() throws IOException {
        return Files.readAllLines(temp.resolve("runs")).size();
    }

    @Test
    void startsAPlatformAgainThatRanOutOfMemory() throws Exception {
        platform("echo \"$*\"; [ $run -lt 3 ] && exit 3; exit 0");

        CommandResult ran = knabla("up", "--port", "0");

        assertThat(ran.status()).isZero();
        assertThat(ran.out()).containsSubsequence("up --port 0", "up --port 0", "up --port 0");
        assertThat(ran.err())
                .contains(
                        "the platform ran out of memory and is started again (1 of at most 5 times in a row)",
                        "(2 of at most 5 times in a row)",
                        "JDK_JAVA_OPTIONS=-Xmx4g");
    }

    @Test
    void givesUpAPlatformThatAlwaysRunsOutOfMemory() throws Exception {
        platform("exit 3");

        CommandResult ran = knabla("up");

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err()).contains("ran out of memory; it ended 6 times in a row and is not started again");
        assertThat(runs()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({"ABRT, 6", "BUS, 7", "KILL, 9", "SEGV, 11"})
    void startsAPlatformAgainThatASignalEnded(String signal, int number) throws Exception {
        platform("ulimit -c 0; [ $run -lt 2 ] && kill -%s $$; exit 0".formatted(signal));

        CommandResult ran = knabla("up");

        assertThat(ran.status()).isZero();
        assertThat(runs()).isEqualTo(2);
        assertThat(ran.err())
                .contains("was ended by signal %d and is started again (1 of at most 5 times in a row)"
                        .formatted(number));
    }

    @Test
    void countsSignalsAndLacksOfMemoryTogether() throws Exception {
        platform("ulimit -c 0; [ $((run % 2)) -eq 0 ] && exit 3; kill -SEGV $$");

        CommandResult ran = knabla("up");

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err()).contains("it ended 6 times in a row and is not started again");
        assertThat(runs()).isEqualTo(6);
    }

    @Test
    void aPlatformThatIsToldToStopIsNotStartedAgain() throws Exception {
        platform("kill -TERM $$");

        assertThat(knabla("up").status()).isEqualTo(143);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void passesOnAnyOtherExitCode() throws Exception {
        platform("exit 1");

        assertThat(knabla("up").status()).isEqualTo(1);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void leavesRestartsToWhomeverTheSettingNames() throws Exception {
        platform("exit 3");
        ProcessBuilder once = launcher(List.of(checkout.resolve("knabla").toString(), "up"));
        once.environment().put("KNABLA_RESTARTS", "0");
        assertThat(once.start().waitFor()).isEqualTo(3);
        assertThat(runs()).isEqualTo(1);

        once.environment().put("KNABLA_RESTARTS", "many");
        Process refused = once.start();
        assertThat(refused.waitFor()).isEqualTo(2);
        assertThat(refused.errorReader().readLine()).contains("KNABLA_RESTARTS", "found 'many'");
    }

    @Test
    void runsOnceWithoutTheToolThatEndsItWithTheLauncher() throws Exception {
        Files.delete(path.resolve("setpriv"));
        platform("exit 3");

        assertThat(knabla("up").status()).isEqualTo(3);
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"HUP, 1", "INT, 2", "TERM, 15"})
    void aSignalStopsThePlatformAndNotOnlyTheLauncher(String signal, int number) throws Exception {
        assumeThat(isIgnored(number))
                .as(
                        "SIG%s is ignored by these tests, as nohup and a job in the background have it, and thus by all they start",
                        signal)
                .isFalse();
        Process up = startUp();
        new ProcessBuilder("kill", "-" + signal, Long.toString(up.pid()))
                .start()
                .waitFor();

        assertThat(up.waitFor()).isEqualTo(128 + number);
        assertThat(up.inputReader().readLine()).isEqualTo("told to stop");
    }

    private static boolean isIgnored(int signal) throws IOException {
        String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(mask, 16) >> (signal - 1) & 1) == 1;
    }

    @Test
    void thePlatformDiesWithAKilledLauncher() throws Exception {
        Process up = startUp();
        ProcessHandle platform = up.children().findFirst().orElseThrow();

        up.destroyForcibly().waitFor();

        await().atMost(Duration.ofSeconds(30)).until(() -> !platform.isAlive());
    }

    /** Returns when the platform runs. */
    private Process startUp() throws IOException {
        platform("trap 'echo told to stop; exit 143' TERM; echo ready; while :; do sleep 0.05; done");
        Process up = launcher(List.of(checkout.resolve("knabla").toString(), "up"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = up.inputReader();
        assertThat(output.readLine()).isEqualTo("ready");
        return up;
    }
}
