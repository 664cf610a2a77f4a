package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests gateway behaviour specific to gradients and training steps, over real processes. */
@Timeout(300)
class GatewayGradientTest {
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
    void healthCheckStartsNoReplica() throws Exception {
        knabla.deploy("digits", Specs.inference().scaling(0, 2, 4, Duration.ofMillis(300)));
        await().until(() -> knabla.replicas("digits", State.STOPPED).size() == 1);

        HttpResponse<String> health = knabla.get("/functions/default/digits/health");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"ok\"");
        assertThat(knabla.replicas("digits", State.READY)).isEmpty();
        assertThat(knabla.replicas("digits", State.STARTING)).isEmpty();
    }

    @Test
    void forwardsOtherPathsToTheReplica() throws Exception {
        knabla.deploy("digits", Specs.inference().type(FunctionType.Gradient));

        HttpResponse<String> answer =
                knabla.send(HttpRequest.newBuilder(knabla.uri("/functions/default/digits/vector_jacobian_product"))
                        .POST(BodyPublishers.ofString("hello")));

        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.headers().firstValue("Standin-Path")).hasValue("/vector_jacobian_product");
    }

    /** The dead replica may have stored the new weights already. */
    @Test
    void aTrainingStepIsNotRepeatedWhenItsReplicaDies(@TempDir Path notes) throws Exception {
        knabla.deploy(
                "steps", Specs.inference().type(FunctionType.TrainingStep).scaling(0, 1, 1, Duration.ofMinutes(1)));
        Path marker = notes.resolve("died");

        HttpResponse<String> answer = knabla.send(knabla.infer("steps").header("Standin-Do", "die-once " + marker));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("not repeated", "may be counted already");
        assertThat(marker).exists();
        assertThat(knabla.meters.get("knabla.retries").counter().count()).isZero();
    }

    /** Two replicas of a training step would both write one state. */
    @Test
    void startsNextTrainingReplicaAfterTheLastEnded(@TempDir Path notes) throws Exception {
        knabla.deploy(
                "steps", Specs.inference().type(FunctionType.TrainingStep).scaling(0, 1, 1, Duration.ofMinutes(1)));
        Path working = notes.resolve("working");
        Path finish = notes.resolve("finish");
        var first = knabla.sendAsync(
                knabla.infer("steps").header("Standin-Do", "note-and-wait-for " + working + " " + finish));
        await().until(() -> Files.exists(working));
        knabla.cluster.stop(knabla.replicas("steps", State.READY).getFirst().id());

        var second = knabla.sendAsync(knabla.infer("steps"));

        await().during(Duration.ofSeconds(1))
                .until(() -> knabla.replicas("steps", State.STARTING).isEmpty()
                        && knabla.replicas("steps", State.READY).isEmpty());
        Files.createFile(finish);
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
    }
}
