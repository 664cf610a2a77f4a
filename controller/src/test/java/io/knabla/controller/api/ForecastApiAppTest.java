package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.oneOf;
import static org.hamcrest.Matchers.startsWith;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.functions.unit.Sha256;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class ForecastApiAppTest {
    private static final String API = "/api/v1";
    private static final FunctionId ID = new FunctionId("default", "forecast");

    @Inject
    Catalog catalog;

    private static void deploy() throws IOException {
        byte[] model = Files.readAllBytes(Path.of("../functions/samples/add-sub/add-sub.onnx"));
        String digest = Sha256.of(model).value();
        given().body(model).put(API + "/models/" + digest).then().statusCode(oneOf(200, 201));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: forecast}
                spec: {model: %s, resources: {cpu: 1, memory: 1Gi}}
                """.formatted(digest);
        given().contentType("application/yaml")
                .body(yaml.getBytes(StandardCharsets.UTF_8))
                .post(API + "/functions")
                .then()
                .statusCode(201);
    }

    private static ValidatableResponse put(String body) {
        return given().contentType("application/json")
                .body(body)
                .put(API + "/functions/default/forecast/forecast")
                .then();
    }

    @Test
    void keepsAForecastAndComparesItAfterAWeek() throws IOException {
        put("{\"perSecond\": 1}").statusCode(404);
        deploy();
        put("{\"perSecond\": -1, \"rate\": 2}")
                .statusCode(400)
                .body("faults.path", containsInAnyOrder("perSecond", "rate"));

        put("{\"perSecond\": 20}")
                .statusCode(200)
                .body("replicas", equalTo(1))
                .body("offers.name", hasItem("all-spot"));

        LoadForecast kept = catalog.find(ID).orElseThrow().forecast().orElseThrow();
        assertThat(kept.perSecond()).isEqualByComparingTo("20");
        put("{\"perSecond\": 20}").statusCode(200);
        assertThat(catalog.find(ID).orElseThrow().forecast()).contains(kept);
        // Half of the 0.1008 USD that an hour of an m7i.large costs, by its CPUs; less by its memory.
        assertThat(kept.usdPerDay().orElseThrow()).isBetween(new BigDecimal("0.30"), new BigDecimal("1.2096"));
        String forecasts = "forecasts.find {it.function == 'default/forecast'}.";
        given().get(API + "/costs?format=table").then().body(forecasts + "state", equalTo("too-early"));

        Instant weekAgo = Instant.now().minus(Duration.ofDays(8));
        catalog.update(
                ID,
                now -> now.orElseThrow()
                        .with(new LoadForecast(weekAgo, BigDecimal.ONE, BigDecimal.ONE, Optional.of(BigDecimal.TEN))));
        given().get(API + "/costs")
                .then()
                .body(forecasts + "state", equalTo("compared"))
                .body(forecasts + "error", equalTo(-1.0f))
                .body(forecasts + "at", startsWith(weekAgo.toString().substring(0, 19)));
        given().delete(API + "/functions/default/forecast").then().statusCode(204);
    }
}
