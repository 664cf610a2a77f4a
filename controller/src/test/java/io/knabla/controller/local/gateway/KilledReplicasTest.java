package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Pace;
import io.knabla.controller.standin.Specs;
import io.knabla.storage.thorough.Thorough;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills ready replicas under load: each is replaced at once, and no call that may be repeated fails. */
@Timeout(600)
@Tag("faults")
class KilledReplicasTest {
    private static final int CLIENTS = 4;

    /** At most so many answers that each client gets between two kills: replicas die at any moment of their work. */
    private static final int MOST_ANSWERS = 500;

    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());

    @TempDir
    Path home;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicIntegerArray answers = new AtomicIntegerArray(CLIENTS);
    private final AtomicBoolean over = new AtomicBoolean();

    /** More than is kept to be sent again: half a body must not reach a second replica as a whole one. */
    @Test
    void aLargeRequestWhoseReplicaEndedIsNotSentAgain() throws Exception {
        try (var knabla = new GatewayFixture(home, new GatewaySettings(16 << 20, 1 << 20, 32 << 20, 100))) {
            knabla.deploy("digits", Specs.inference().scaling(2, 2, 4, Duration.ofMinutes(1)));
            HttpResponse<String> answer = knabla.send(knabla.infer("digits")
                    .header("Standin-Do", "die-after-body")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[2 << 20])));
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(knabla.replicas("digits", State.FAILED)).hasSizeLessThan(2);
        }
    }

    @ParameterizedTest(name = "of {0} replicas")
    @ValueSource(ints = {1, 3})
    void noCallFailsWhileReadyReplicasAreKilled(int replicas) throws Exception {
        int kills = Thorough.count("knabla.replica.kills", 10, 50);
        var random = new Random(SEED);
        try (var knabla = new GatewayFixture(home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 100));
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            knabla.deploy("digits", Specs.inference().scaling(replicas, replicas, 4, Duration.ofMinutes(1)));
            for (int client = 0; client < CLIENTS; client++) {
                int index = client;
                clients.execute(() -> call(knabla, index));
            }
            for (int kill = 0; kill < kills; kill++) {
                List<Replica> ready = await("replicas are ready before kill " + kill)
                        .until(() -> knabla.replicas("digits", State.READY), some -> !some.isEmpty());
                everyClientIsAnswered(1 + random.nextInt(MOST_ANSWERS));
                kill(ready.get(random.nextInt(ready.size())));
            }
            over.set(true);
        }
        System.out.printf("%d kills, %d answers, seed %d (-Dknabla.seed)%n", kills, total(), SEED);
        assertThat(failures).isEmpty();
        assertThat(total()).isPositive();
    }

    /** So no call has lost a replica already: one that loses two is given up. */
    private void everyClientIsAnswered(int times) {
        int[] before = IntStream.range(0, CLIENTS).map(answers::get).toArray();
        await().until(() -> !failures.isEmpty()
                || IntStream.range(0, CLIENTS).allMatch(client -> answers.get(client) >= before[client] + times));
    }

    private int total() {
        return IntStream.range(0, CLIENTS).map(answers::get).sum();
    }

    private void call(GatewayFixture knabla, int client) {
        while (!over.get()) {
            Pace.pause();
            try {
                HttpResponse<String> answer = knabla.send(knabla.infer("digits"));
                if (answer.statusCode() == 200) {
                    answers.incrementAndGet(client);
                } else {
                    failures.add(answer.statusCode() + " " + answer.body());
                }
            } catch (Exception lost) {
                failures.add(lost.toString());
                return;
            }
        }
    }

    private void kill(Replica replica) throws Exception {
        Path note = home.resolve("run/replicas").resolve(replica.id()).resolve("pid");
        if (Files.exists(note)) {
            long pid = Long.parseLong(Files.readString(note).split(" ")[0]);
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
