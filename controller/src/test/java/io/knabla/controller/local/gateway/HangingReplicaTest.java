package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Specs;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that replicas which hang, here stopped by SIGSTOP, are routed around, killed and replaced. */
@Timeout(300)
class HangingReplicaTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 100));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void theOnlyReplicaIsReplacedAndItsRequestAnswered() throws Exception {
        knabla.deploy("digits", Specs.inference().timeout(LONG).scaling(1, 1, 1, Duration.ofMinutes(1)));
        String hanging = pid(knabla.send(knabla.infer("digits")));
        stop(hanging);

        HttpResponse<String> answer = knabla.send(knabla.infer("digits"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(pid(answer)).isNotEqualTo(hanging);
        assertThat(knabla.replicas("digits", State.FAILED))
                .singleElement()
                .satisfies(
                        dead -> assertThat(dead.reason()).startsWith("it hangs: it failed 3 health probes in a row"));
    }

    @Test
    void aReplicaThatAnswersAgainIsKept() throws Exception {
        knabla.deploy("digits", Specs.inference().timeout(LONG).scaling(1, 1, 4, Duration.ofMinutes(1)));
        String pid = pid(knabla.send(knabla.infer("digits")));
        stop(pid);
        await().until(() -> !knabla.replicas("digits", State.UNRESPONSIVE).isEmpty());
        CompletableFuture<HttpResponse<String>> waiting = knabla.sendAsync(knabla.infer("digits"));
        await().until(() -> knabla.requests("digits") == 1);

        signal("CONT", pid);

        assertThat(pid(waiting.get())).isEqualTo(pid);
        assertThat(knabla.replicas("digits", State.READY)).hasSize(1);
    }

    @Test
    void oneOfThreeCostsAtMostOneTimeoutPerSlot() throws Exception {
        int slots = 2;
        knabla.deploy(
                "digits", Specs.inference().timeout(Duration.ofSeconds(5)).scaling(3, 3, slots, Duration.ofMinutes(1)));
        await().until(() -> knabla.replicas("digits", State.READY).size() == 3);
        Replica hanging = knabla.replicas("digits", State.READY).getFirst();
        stop(pidOf(hanging));

        Map<Integer, Integer> statuses = new HashMap<>();
        await().until(() -> {
            calls(4).forEach(status -> statuses.merge(status, 1, Integer::sum));
            return knabla.replicas("digits", State.READY).stream().noneMatch(hanging::equals)
                    && knabla.replicas("digits", State.READY).size() == 3;
        });

        assertThat(statuses).containsKey(200);
        assertThat(statuses.keySet()).isSubsetOf(200, 504);
        assertThat(statuses.getOrDefault(504, 0)).isLessThanOrEqualTo(slots);
        assertThat(knabla.replicas("digits", State.FAILED))
                .extracting(Replica::id)
                .containsExactly(hanging.id());
    }

    private List<Integer> calls(int count) {
        return IntStream.range(0, count).mapToObj(call -> knabla.sendAsync(knabla.infer("digits"))).toList().stream()
                .map(answer -> answer.join().statusCode())
                .toList();
    }

    private static String pid(HttpResponse<String> answer) {
        return answer.headers().firstValue("Standin-Pid").orElseThrow();
    }

    private String pidOf(Replica replica) throws Exception {
        Path note = home.resolve("run/replicas").resolve(replica.id()).resolve("pid");
        return java.nio.file.Files.readString(note).split(" ")[0];
    }

    /** A thread that has not got a processor since the signal lets the others run on. */
    private static void stop(String pid) throws Exception {
        signal("STOP", pid);
        await().until(() -> threadStates(pid).stream().allMatch("T"::equals));
    }

    /** By proc_pid_stat(5), where the state follows the name in parentheses. */
    private static List<String> threadStates(String pid) throws IOException {
        List<String> states = new ArrayList<>();
        try (var threads = Files.newDirectoryStream(Path.of("/proc", pid, "task"))) {
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"));
                states.add(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[0]);
            }
        }
        return states;
    }

    private static void signal(String name, String pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }
}
