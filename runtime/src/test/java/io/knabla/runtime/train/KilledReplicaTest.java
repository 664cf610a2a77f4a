package io.knabla.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.train.Regression.Batch;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills a replica during training steps, repeatedly: no acknowledged step is lost. */
@Timeout(300)
class KilledReplicaTest {
    private static final int LIVES = 5;
    private static final Pattern STEP = Pattern.compile("\"step\"[^}]*?\"data\":\\[(\\d+)");
    private static final Batch BATCH = Batch.of(3, 4);

    /** The last step acknowledged to a client. */
    private final AtomicLong acknowledged = new AtomicLong();

    @Test
    void everyAnsweredStepSurvivesSigkill() throws Exception {
        try (var unit = AnalyticModels.regression()) {
            for (int life = 0; life < LIVES; life++) {
                long before = acknowledged.get();
                live(unit, 3 + life);
                StoredState stored = StoredState.read(unit.store());
                // The step in flight may be saved without an answer; no step before it may be lost.
                assertThat(stored.step())
                        .isBetween(acknowledged.get(), acknowledged.get() + 1)
                        .isGreaterThan(before);
                assertIsAfter(stored);
                acknowledged.set(stored.step());
            }
        }
    }

    /** Starts a replica, runs {@code steps} acknowledged steps and kills it during the next. */
    private void live(TestUnit unit, int steps) throws Exception {
        long first = acknowledged.get() + 1;
        var enough = new CountDownLatch(steps);
        try (var replica = new ReplicaProcess(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.knabla.runtime.Main"),
                        unit.environment());
                var client = HttpClient.newHttpClient()) {
            int port = replica.port();
            Thread caller = Thread.ofVirtual().start(() -> {
                long expected = first;
                while (step(client, port, expected)) {
                    expected++;
                    enough.countDown();
                }
            });
            enough.await();
            replica.process().destroyForcibly();
            replica.process().onExit().join();
            caller.join();
        }
    }

    /** Whether the step was acknowledged with the next step number. */
    private boolean step(HttpClient client, int port, long expected) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v2/models/m/infer".formatted(port)))
                            .POST(BodyPublishers.ofString(BATCH.request().replace('\'', '"')))
                            .build(),
                    BodyHandlers.ofString());
            Matcher found = STEP.matcher(answer.body());
            if (!found.find() || Long.parseLong(found.group(1)) != expected) {
                throw new IllegalStateException("expected step %d: %s".formatted(expected, answer.body()));
            }
            acknowledged.set(expected);
            return true;
        } catch (IOException killed) {
            return false;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void assertIsAfter(StoredState stored) {
        var expected = new Regression();
        while (expected.step < stored.step()) {
            expected.step(BATCH, 0.1f);
        }
        assertThat(stored.tensors().get("w")).containsExactly(expected.w, offset(1e-4f));
        assertThat(stored.tensors().get("opt.m:w")).containsExactly(expected.m, offset(1e-4f));
    }
}
