package io.knabla.controller.local;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.standin.StandInCluster;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that nothing remains of a controller that was killed. */
@Timeout(300)
class LeftoversTest {
    @TempDir
    Path home;

    @Test
    void noReplicaAndNoPoolMemberOutlivesAKilledController() throws Exception {
        Process controller = new ProcessBuilder(
                        StandInCluster.JAVA.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledController.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        ProcessHandle replica;
        ProcessHandle member;
        try (BufferedReader out = controller.inputReader()) {
            member = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
            String id = out.readLine();
            await().until(() -> KilledController.note(home, id).contains(" "));
            replica = ProcessHandle.of(
                            Long.parseLong(KilledController.note(home, id).split(" ")[0]))
                    .orElseThrow();
        } finally {
            // The home is locked until the process has ended.
            controller.destroyForcibly().waitFor();
        }

        await().until(() -> !replica.isAlive() && !member.isAlive());
        try (LocalCluster next = StandInCluster.open(home)) {
            assertThat(next.replicas()).isEmpty();
            assertThat(home.resolve("run/replicas")).isEmptyDirectory();
        }
    }

    @Test
    void killsOnlyVerifiedProcessesOfAnEarlierController() throws Exception {
        Process ours = sleeper();
        Process strange = sleeper();
        String started = ours.toHandle().info().startInstant().orElseThrow().toString();
        note("ours", ours.pid() + " " + started);
        note("reused", strange.pid() + " 2001-01-01T00:00:00Z");
        note("torn", "" + strange.pid());
        note("garbage", "no number");
        try (LocalCluster cluster = StandInCluster.open(home)) {
            assertThat(ours.isAlive()).isFalse();
            assertThat(strange.isAlive()).isTrue();
            assertThat(home.resolve("run/replicas")).isEmptyDirectory();
            assertThat(cluster.replicas()).isEmpty();
        } finally {
            ours.destroyForcibly();
            strange.destroyForcibly();
        }
    }

    @Test
    void deletesFilesOfAnEngineJob() throws Exception {
        Path folder = RunDirectory.engine(home.resolve("run"), "check-1");
        Files.writeString(Files.createDirectories(folder).resolve("output"), "left");
        try (LocalCluster next = StandInCluster.open(home)) {
            assertThat(next.replicas()).isEmpty();
            assertThat(folder).doesNotExist();
        }
    }

    /** A process that waits for input; this process never closes the pipe. */
    private static Process sleeper() throws Exception {
        return new ProcessBuilder("cat").start();
    }

    private void note(String replica, String text) throws Exception {
        Path folder = Files.createDirectories(home.resolve("run/replicas").resolve(replica));
        Files.writeString(folder.resolve("pid"), text);
        Files.createDirectories(folder.resolve("tmp/deep"));
        Files.writeString(folder.resolve("tmp/deep/file"), "left");
    }
}
