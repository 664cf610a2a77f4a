package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class AssetsAppTest {
    @Test
    void theScriptThatTheLivePageLoadsHasItsHashAsName() throws NoSuchAlgorithmException {
        String page = given().get("/costs").asString();
        Matcher script =
                Pattern.compile("<script src=\"/assets/([0-9a-f]{64})\"").matcher(page);
        assertThat(script.find()).isTrue();
        byte[] body = given().get("/assets/" + script.group(1))
                .then()
                .statusCode(200)
                .contentType("text/javascript")
                .header("Cache-Control", containsString("immutable"))
                .header("X-Content-Type-Options", "nosniff")
                .extract()
                .asByteArray();
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body)))
                .isEqualTo(script.group(1));
        given().get("/assets/" + "0".repeat(64))
                .then()
                .statusCode(404)
                .body("detail", containsString("open the page again"));
    }
}
