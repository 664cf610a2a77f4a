package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;

import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class GarbageApiAppTest {
    private static final String API = "/api/v1";
    private static final int DOC_STRING_TAG = 0x32;

    @Inject
    ObjectStore store;

    @Inject
    Home home;

    private static ValidatableResponse gc(String body) {
        return given().contentType(ContentType.JSON)
                .body(body)
                .post(API + "/gc")
                .then();
    }

    private static void deploy(String name, byte[] model, int status) {
        String digest = Sha256.of(model).value();
        given().body(model).put(API + "/models/" + digest);
        given().contentType("application/yaml")
                .body("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata: {name: %s}
                        spec: {model: %s}
                        """.formatted(name, digest).getBytes(StandardCharsets.UTF_8))
                .post(API + "/functions")
                .then()
                .statusCode(status);
    }

    /** The sample with a doc string: the same function with another digest. */
    private static byte[] modelOfItsOwn() throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.write(Files.readAllBytes(Path.of("../functions/samples/add-sub/add-sub.onnx")));
        bytes.write(DOC_STRING_TAG);
        bytes.write(4);
        bytes.write("mine".getBytes(StandardCharsets.US_ASCII));
        return bytes.toByteArray();
    }

    @Test
    void collectsDeletedModelsOnly() throws IOException {
        byte[] model = modelOfItsOwn();
        // Other tests of this platform leave objects behind.
        gc("{\"grace\": \"0s\"}").statusCode(200);
        deploy("kept", model, 201);
        gc("{\"grace\": \"0s\"}").statusCode(200).body("garbage", hasSize(0));
        deploy("kept", model, 200);
        given().delete(API + "/functions/default/kept").then().statusCode(204);

        gc("").statusCode(200).body("grace", equalTo("24h")).body("deletedObjects", equalTo(0));
        gc("{\"dryRun\": true, \"grace\": \"0s\"}")
                .statusCode(200)
                .body("dryRun", equalTo(true))
                .body("deletedObjects", equalTo(0))
                .body("garbageObjects", greaterThan(0))
                .body("garbage.key", hasItem("models/" + Sha256.of(model).hex()))
                .body("reasons.because", hasItem("no version needs it"));
        gc("{\"grace\": \"0s\"}")
                .statusCode(200)
                .body("deletedObjects", greaterThan(2))
                .body("deletedBytes", greaterThan(0));

        deploy("kept", model, 201);
        gc("{\"grace\": \"0s\"}").statusCode(200).body("garbage", hasSize(0));
        given().delete(API + "/functions/default/kept").then().statusCode(204);
    }

    /** The logs of a deleted function are kept for a week; its unit's mark goes at once. */
    @Test
    void collectsFilesOfThisMachine() throws IOException {
        Path folder = home.logs().resolve("default").resolve("long-gone");
        Path log = Files.createDirectories(folder).resolve("long-gone-v1-a.log");
        Files.writeString(log, "why it failed\n");
        Files.setLastModifiedTime(log, FileTime.from(Instant.now().minus(Duration.ofDays(8))));

        gc("{\"dryRun\": true}")
                .statusCode(200)
                .body("machine.kinds.kind", hasItems("logs", "proven"))
                .body("machine.garbage.key", hasItem(log.toString()))
                .body("machine.deletedFiles", equalTo(0));
        assertThat(log).exists();

        gc("").statusCode(200)
                .body("machine.garbageFiles", greaterThan(0))
                .body("machine.deletedFiles", greaterThan(0));
        assertThat(folder).doesNotExist();
    }

    @Test
    void reportsAllFaultsOfARequestAtOnce() {
        gc("{\"grace\": 24, \"dryRun\": \"yes\", \"force\": true}")
                .statusCode(400)
                .body("faults.path", equalTo(List.of("force", "grace", "dryRun")));
    }

    @Test
    void refusesToCollectWithADamagedCatalog() throws IOException {
        var key = new ObjectKey("catalog/functions/default/damaged.json");
        store.write(key, Content.of("{".getBytes(StandardCharsets.UTF_8)));

        gc("{\"grace\": \"0s\"}")
                .statusCode(409)
                .contentType("application/problem+json")
                .body("detail", containsString(key.path()));
        store.delete(key);
        gc("{\"grace\": \"0s\"}").statusCode(200);
    }
}
