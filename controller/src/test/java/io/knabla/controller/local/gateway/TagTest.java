package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the addresses of tags: TAG-NAME in place of a function's name. */
class TagTest {
    private GatewayFixture knabla;

    @TempDir
    Path home;

    @BeforeEach
    void canary() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 3));
        knabla.deploy("digits", Specs.inference());
        knabla.send(knabla.infer("digits"));
        knabla.deployAgain("digits", Specs.inference());
        split(new TrafficTarget(1, 100), TrafficTarget.latest(0).tagged("canary"));
        await().until(() -> version(knabla.infer("canary-digits")).equals(Optional.of("2")));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    private void split(TrafficTarget... targets) {
        knabla.catalog.update(
                Specs.id("digits"),
                now -> new FunctionRecord(
                        now.orElseThrow().id(), now.orElseThrow().versions(), List.of(targets), ""));
    }

    private Optional<String> version(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = knabla.send(request);
        return answer.headers().firstValue("Knabla-Version").filter(_ -> answer.statusCode() == 200);
    }

    private HttpRequest.Builder post(String path) {
        return HttpRequest.newBuilder(knabla.uri(path)).POST(HttpRequest.BodyPublishers.ofString("{}"));
    }

    @Test
    void theTagAloneReachesItsVersion() throws Exception {
        assertThat(version(knabla.infer("digits"))).contains("1");
        assertThat(version(post("/functions/default/canary-digits/v2/models/digits/infer")))
                .contains("2");
        assertThat(version(post("/functions/default/canary-digits/v2/models/digits/versions/1/infer")))
                .contains("1");
        assertThat(knabla.get("/functions/default/canary-digits/v2/health/ready")
                        .statusCode())
                .isEqualTo(200);
        assertThat(knabla.get("/functions/default/canary-digits/v2").statusCode())
                .isEqualTo(200);
    }

    @Test
    void aTagMovesAndEndsWithTheSplit() throws Exception {
        split(new TrafficTarget(2, 100), new TrafficTarget(1, 0).tagged("canary"));
        assertThat(version(knabla.infer("canary-digits"))).contains("1");

        split(new TrafficTarget(2, 100));
        assertThat(knabla.send(knabla.infer("canary-digits")).statusCode()).isEqualTo(404);
    }

    @Test
    void aFunctionOfThatNameWins() throws Exception {
        knabla.deploy("canary-digits", Specs.inference());

        assertThat(version(knabla.infer("canary-digits"))).contains("1");
    }
}
