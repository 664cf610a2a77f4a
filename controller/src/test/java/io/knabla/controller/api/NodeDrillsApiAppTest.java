package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class NodeDrillsApiAppTest {
    private static ValidatableResponse drill(String path, String body) {
        return given().contentType(ContentType.JSON)
                .body(body)
                .post("/api/v1/nodes/" + path)
                .then();
    }

    @Test
    void warnsASpotNodeAndShowsTheTimeLeft() {
        drill("local-b/rebalance", "")
                .statusCode(202)
                .body("items", hasSize(1))
                .body("items[0].warning.kind", equalTo("REBALANCE_RECOMMENDED"));
        drill("spot-b/interruption", "{\"noticeSeconds\": 86400}")
                .statusCode(202)
                .body("items[0].name", equalTo("spot-b"))
                .body("items[0].warning.kind", equalTo("INTERRUPTION_WARNING"))
                .body("items[0].warning.secondsLeft", lessThanOrEqualTo(86_400));
        given().get("/api/v1/nodes")
                .then()
                .body("items.findAll { it.warning != null }.name", equalTo(java.util.List.of("spot-b")));
    }

    @Test
    void refusesWhatCannotBeTakenBack() {
        drill("nowhere/interruption", "").statusCode(404).body("detail", containsString("spot-a"));
        drill("on-demand-a/rebalance", "").statusCode(409).body("detail", containsString("is on demand"));
        drill("spot-b/interruption", "{\"noticeSeconds\": -1, \"notice\": 5}")
                .statusCode(400)
                .body("faults", hasSize(2));
    }
}
