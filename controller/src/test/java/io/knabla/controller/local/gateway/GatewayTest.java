package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the gateway over real processes; headers or function names tell the stand-in how to misbehave. */
@Timeout(300)
class GatewayTest {
    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(16 << 20, 1 << 20, 32 << 20, 3));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void firstRequestStartsReplicaAndReportsPhases() throws Exception {
        knabla.deploy("gated", Specs.inference());
        CompletableFuture<HttpResponse<String>> cold = knabla.sendAsync(knabla.infer("gated"));
        await().until(() -> knabla.requests("gated") == 1
                && !knabla.replicas("gated", State.STARTING).isEmpty());
        Files.createFile(home.resolve("cache/gate"));

        HttpResponse<String> first = cold.get();
        HttpResponse<String> second = knabla.send(knabla.infer("gated"));

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().firstValue("Knabla-Start")).hasValue("cold");
        assertThat(first.headers().firstValue("Server-Timing").orElseThrow())
                .contains("queue;dur=", "place;dur=", "fetch;dur=1.0", "boot;dur=", "load;dur=3.0", "infer;dur=2");
        assertThat(second.headers().firstValue("Knabla-Start")).hasValue("warm");
        assertThat(second.headers().firstValue("Knabla-Version")).hasValue("1");
        assertThat(second.headers().allValues("Knabla-Version")).hasSize(1);
        assertThat(meter("knabla.cold.starts")).isEqualTo(1);
    }

    @Test
    void scalesToZeroWhenIdleAndStartsAgain() throws Exception {
        knabla.deploy("digits", Specs.inference().scaling(0, 2, 4, Duration.ofMillis(300)));
        assertThat(knabla.send(knabla.infer("digits")).statusCode()).isEqualTo(200);

        // Its first version also started without the request, and may have scaled to zero before it arrived.
        await().until(() -> knabla.cluster.replicas().stream().allMatch(one -> one.state() == State.STOPPED));
        HttpResponse<String> woken = knabla.send(knabla.infer("digits"));

        assertThat(woken.statusCode()).isEqualTo(200);
        assertThat(woken.headers().firstValue("Knabla-Start")).hasValue("cold");
    }

    @Test
    void keepsTheMinimumRunning() {
        knabla.deploy("digits", Specs.inference().scaling(2, 3, 4, Duration.ofMillis(1)));
        await().until(() -> knabla.replicas("digits", State.READY).size() == 2);
    }

    @Test
    void forwardsAllButHopByHopHeaders() throws Exception {
        knabla.deploy("digits", Specs.inference());
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        HttpResponse<String> answer =
                knabla.send(HttpRequest.newBuilder(knabla.uri("/v2/models/digits/versions/1/infer?a=b"))
                        .headers("traceparent", trace, "x-request-id", "r-1", "Knabla-Replica-Token", "forged")
                        .POST(BodyPublishers.ofString("hello")));

        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.headers().firstValue("Standin-Traceparent")).hasValue(trace);
        assertThat(answer.headers().allValues("traceparent")).containsExactly(trace);
        assertThat(answer.headers().firstValue("Standin-Request")).hasValue("[r-1]");
        assertThat(answer.headers().allValues("X-Request-Id")).containsExactly("r-1");
        assertThat(answer.headers().firstValue("Standin-Path")).hasValue("/v2/models/digits/infer?a=b");
        assertThat(answer.headers().firstValue("Knabla-Version")).hasValue("1");
    }

    @Test
    void suggestsSimilarNames() throws Exception {
        knabla.deploy("digits", Specs.inference());

        HttpResponse<String> typo = knabla.send(knabla.infer("digit"));
        HttpResponse<String> version = knabla.get("/v2/models/digits/versions/7");

        assertThat(typo.statusCode()).isEqualTo(404);
        assertThat(typo.body()).contains("\"error\"", "Request for unknown model", "did you mean digits?");
        assertThat(version.statusCode()).isEqualTo(404);
        assertThat(version.body()).contains("no version 7; it has [1]");
    }

    @Test
    void rejectsPathsBelowAnUnknownFunction() throws Exception {
        for (String path : List.of("/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/x")) {
            assertThat(knabla.get("/functions/default/nobody" + path).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aReplicaKilledWhileItWorksIsReplacedAndTheRequestRepeated() throws Exception {
        knabla.deploy("digits", Specs.inference());
        Path marker = home.resolve("died");

        HttpResponse<String> answer = knabla.send(knabla.infer("digits").header("Standin-Do", "die-once " + marker));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(marker).exists();
        assertThat(meter("knabla.retries")).isEqualTo(1);
        assertThat(knabla.cluster.usage().replicas())
                .extracting(replica -> replica.work().retried())
                .containsOnlyOnce(1L);
    }

    @Test
    void aRequestThatKillsEveryReplicaIsGivenUp() throws Exception {
        knabla.deploy("digits", Specs.inference());

        HttpResponse<String> answer = knabla.send(knabla.infer("digits").header("Standin-Do", "die"));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("the request itself may be the cause");
        await().until(() -> knabla.replicas("digits", State.FAILED).size() >= 2);
        assertThat(knabla.replicas("digits", State.FAILED).getFirst().reason()).contains("segmentation fault");
    }

    @Test
    void theSameRequestIsRefusedForAWhileAfterItEndedTwoReplicas() throws Exception {
        knabla.deploy("digits", Specs.inference());
        HttpRequest.Builder poison = knabla.infer("digits").header("Standin-Do", "die");
        assertThat(knabla.send(poison).statusCode()).isEqualTo(503);
        long starts = knabla.cluster.replicas().size();

        HttpResponse<String> again = knabla.send(poison);

        assertThat(again.statusCode()).isEqualTo(503);
        assertThat(again.body()).contains("two replicas", "ended on this very request");
        assertThat(again.headers().firstValue("Retry-After")).isPresent();
        // The caller may have its answer before the end of the second process is noticed.
        await().until(() -> knabla.replicas("digits", State.FAILED).size() == 2);
        assertThat(starts).isLessThanOrEqualTo(3);
        HttpResponse<String> other = knabla.send(knabla.infer("digits").POST(BodyPublishers.ofString("{ }")));
        assertThat(other.statusCode()).isEqualTo(200);
    }

    @Test
    void aCallWhoseBodyHasNotComeStartsNoReplica() throws Exception {
        knabla.deploy("gated", Specs.inference().scaling(0, 4, 1, Duration.ofMinutes(1)));
        try (var slow = new Socket("127.0.0.1", knabla.uri("/").getPort())) {
            String begun = "POST /v2/models/gated/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf";
            slow.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            knabla.get("/v2/models/gated");

            assertThat(knabla.requests("gated")).isZero();

            slow.getOutputStream().write("wit".getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().write("h!".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> knabla.requests("gated") == 1);
        }
    }

    @Test
    void aClientThatLeavesGivesItsPlaceUp() throws Exception {
        knabla.deploy("gated", Specs.inference());
        var waiting = new Socket("127.0.0.1", knabla.uri("/").getPort());
        waiting.getOutputStream()
                .write("POST /v2/models/gated/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        await().until(() -> knabla.requests("gated") == 1);

        waiting.close();

        await().until(() -> knabla.requests("gated") == 0);
    }

    @Test
    void halfAnAnswerIsAskedForAgainAndNeverPassedOn() throws Exception {
        knabla.deploy("digits", Specs.inference());

        HttpResponse<String> answer = knabla.send(knabla.infer("digits").header("Standin-Do", "half"));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("ended before it answered", "a second replica ended too");
    }

    @Test
    void aStartThatFailsAnswersWithItsReason() throws Exception {
        knabla.deploy("failing", Specs.inference());
        knabla.deploy("crashing", Specs.inference());

        HttpResponse<String> failing = knabla.send(knabla.infer("failing"));
        HttpResponse<String> crashing = knabla.send(knabla.infer("crashing"));

        assertThat(failing.statusCode()).isEqualTo(503);
        assertThat(failing.body()).contains("the unit is not there");
        assertThat(failing.headers().firstValue("Retry-After")).isPresent();
        assertThat(crashing.statusCode()).isEqualTo(503);
        assertThat(crashing.body()).contains("no such operator: Frobnicate", "segmentation fault");
        // Only while no further start is attempted; the pauses between attempts grow.
        await().until(() -> knabla.get("/v2/models/crashing/ready").statusCode() == 503);
    }

    @Test
    void aStartThatHangsIsNotWaitedForLongerThanTheTimeout() throws Exception {
        knabla.deploy("stuck", Specs.inference().timeout(Duration.ofMillis(300)));

        HttpResponse<String> answer = knabla.send(knabla.infer("stuck"));

        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(answer.body()).contains("300 ms", "while it waited for a replica");
    }

    @Test
    void anAnswerThatNeverComesTimesOut() throws Exception {
        Specs impatient = Specs.inference().timeout(Duration.ofSeconds(5));
        knabla.deploy("digits", impatient.scaling(1, 1, 1, Duration.ofMinutes(1)));
        await().until(() -> knabla.replicas("digits", State.READY).size() == 1);
        String order = "note-and-wait-for %s %s".formatted(home.resolve("seen"), home.resolve("never"));

        HttpResponse<String> answer = knabla.send(knabla.infer("digits").header("Standin-Do", order));

        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(answer.body()).contains("in replica digits-v1-");
    }

    @Test
    void rejectsRequestsBeyondTheQueueLimit() throws Exception {
        knabla.deploy("gated", Specs.inference());
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(knabla.sendAsync(knabla.infer("gated")));
        }

        await().until(() -> all.stream().filter(CompletableFuture::isDone).count() == 2);
        Files.createFile(home.resolve("cache/gate"));

        List<Integer> statuses =
                all.stream().map(one -> one.join().statusCode()).sorted().toList();
        assertThat(statuses).containsExactly(200, 200, 200, 429, 429);
        assertThat(all.stream().map(CompletableFuture::join).filter(one -> one.statusCode() == 429))
                .allSatisfy(one ->
                        assertThat(one.headers().firstValue("Retry-After")).isPresent());
    }

    @Test
    void bigBodiesStreamThrough() throws Exception {
        knabla.deploy("digits", Specs.inference());
        byte[] body = new byte[12 << 20];
        new Random(3).nextBytes(body);

        HttpResponse<byte[]> answer = knabla.client.send(
                HttpRequest.newBuilder(knabla.uri("/functions/default/digits/v2/models/digits/infer"))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
    }

    @Test
    void tooBigBodiesAreRefused() throws Exception {
        knabla.deploy("digits", Specs.inference());
        byte[] body = new byte[(16 << 20) + 1];

        HttpResponse<String> announced = knabla.send(
                knabla.infer("digits").POST(BodyPublishers.ofByteArray(body)).expectContinue(true));

        assertThat(announced.statusCode()).isEqualTo(413);
        assertThat(announced.body()).contains("16777216 bytes");
    }

    @Test
    void trafficIsSplitByPercent() throws Exception {
        knabla.deploy("digits", Specs.inference());
        knabla.deployAgain("digits", Specs.inference());
        knabla.catalog.update(
                Specs.id("digits"),
                now -> new io.knabla.controller.catalog.FunctionRecord(
                        now.orElseThrow().id(),
                        now.orElseThrow().versions(),
                        List.of(new TrafficTarget(1, 80), new TrafficTarget(2, 20)),
                        ""));

        int second = 0;
        for (int i = 0; i < 400; i++) {
            HttpResponse<String> answer = knabla.send(knabla.infer("digits"));
            assertThat(answer.statusCode()).isEqualTo(200);
            second +=
                    answer.headers().firstValue("Knabla-Version").orElseThrow().equals("2") ? 1 : 0;
        }

        // The seed is fixed; 80 is expected, and 40 is five standard deviations away.
        assertThat(second).isBetween(40, 120);
    }

    @Test
    void aNewVersionTakesOverOnlyOnceItHasProvedItself() throws Exception {
        knabla.deploy("gated", Specs.inference());
        Files.createFile(home.resolve("cache/gate"));
        assertThat(version(knabla.send(knabla.infer("gated")))).isEqualTo("1");
        Files.delete(home.resolve("cache/gate"));
        knabla.deployAgain("gated", Specs.inference());
        await().until(() -> knabla.replicas("gated", State.STARTING).size() == 1);

        assertThat(version(knabla.send(knabla.infer("gated")))).isEqualTo("1");
        Files.createFile(home.resolve("cache/gate"));

        await().until(() -> version(knabla.send(knabla.infer("gated"))).equals("2"));
    }

    @Test
    void deletionUnderLoadAnswersEverybody() throws Exception {
        knabla.deploy("gated", Specs.inference());
        CompletableFuture<HttpResponse<String>> held = knabla.sendAsync(knabla.infer("gated"));
        await().until(() -> knabla.requests("gated") == 1
                && knabla.replicas("gated", State.STARTING).size() == 1);

        knabla.catalog.delete(Specs.id("gated"));

        assertThat(held.get().statusCode()).isEqualTo(404);
        assertThat(held.get().body()).contains("was deleted");
        assertThat(knabla.send(knabla.infer("gated")).statusCode()).isEqualTo(404);
        await().until(() -> knabla.replicas("gated", State.STOPPED).size() == 1);
    }

    @Test
    void aRequestInFlightOutlivesItsFunction() throws Exception {
        knabla.deploy("digits", Specs.inference());
        Path seen = home.resolve("seen");
        Path gate = home.resolve("go");
        CompletableFuture<HttpResponse<String>> working = knabla.sendAsync(
                knabla.infer("digits").header("Standin-Do", "note-and-wait-for %s %s".formatted(seen, gate)));
        await().until(() -> Files.exists(seen));

        knabla.catalog.delete(Specs.id("digits"));
        await().until(() -> knabla.replicas("digits", State.DRAINING).size() == 1);
        Files.createFile(gate);

        assertThat(working.get().statusCode()).isEqualTo(200);
    }

    @Test
    void servesMetadataWithoutStartingAReplica() throws Exception {
        knabla.deploy("gated", Specs.inference());

        assertThat(knabla.get("/v2/models/gated").body())
                .isEqualTo("{\"name\":\"gated\",\"versions\":[\"1\"],\"platform\":\"onnxruntime_onnx\","
                        + "\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1,4]}],"
                        + "\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[-1,2]}]}");
        assertThat(knabla.get("/v2/models/gated/ready").body()).contains("\"ready\":true");
        assertThat(knabla.get("/v2/health/live").body()).contains("\"live\":true", "\"ready\":true");
        assertThat(knabla.get("/v2").body()).contains("binary_tensor_data");
        assertThat(knabla.send(HttpRequest.newBuilder(knabla.uri("/v2/repository/index"))
                                .POST(BodyPublishers.noBody()))
                        .body())
                .isEqualTo("[{\"name\":\"gated\",\"version\":\"1\",\"state\":\"READY\",\"reason\":\"\"}]");
        assertThat(knabla.get("/v2/models/gated/infer").statusCode()).isEqualTo(405);
    }

    private static String version(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("Knabla-Version").orElseThrow();
    }

    private double meter(String name) {
        return knabla.meters.find(name).meters().stream()
                .flatMap(meter ->
                        java.util.stream.StreamSupport.stream(meter.measure().spliterator(), false))
                .filter(m -> m.getStatistic() == io.micrometer.core.instrument.Statistic.COUNT)
                .mapToDouble(io.micrometer.core.instrument.Measurement::getValue)
                .sum();
    }
}
