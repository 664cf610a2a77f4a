package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = S3Home.class, restrictToAnnotatedClass = true)
class DirectUploadAppTest {
    private static final String MODELS = "/api/v1/models/";

    @Inject
    Home home;

    @Inject
    ObjectStore store;

    private static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static Response begin(Digest digest, long size) {
        return given().contentType("application/json")
                .body("{\"size\": %d}".formatted(size))
                .post(MODELS + digest + "/upload");
    }

    private static JsonNode parts(Digest digest, long size) throws IOException {
        Response answer = begin(digest, size);
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.asByteArray());
    }

    private static Response complete(Digest digest, String id, long size) {
        return given().contentType("application/json")
                .body("{\"id\": \"%s\", \"size\": %d}".formatted(id, size))
                .post(MODELS + digest + "/upload/complete");
    }

    /** Sends the part with a plain HTTP client and returns the status. */
    private static int send(JsonNode part, byte[] whole) throws Exception {
        int from = part.path("offset").asInt();
        byte[] body = Arrays.copyOfRange(whole, from, from + part.path("size").asInt());
        var request =
                HttpRequest.newBuilder(URI.create(part.path("url").asText())).PUT(BodyPublishers.ofByteArray(body));
        part.path("headers")
                .properties()
                .forEach(header ->
                        request.header(header.getKey(), header.getValue().asText()));
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private List<String> keys(String prefix) {
        try (var objects = store.list(prefix)) {
            return objects.map(ObjectInfo::key).map(ObjectKey::path).toList();
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(keys("incoming/")).isEmpty();
        try (var files = Files.list(home.uploads())) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void uploadsAModelDirectlyToTheStore() throws Exception {
        byte[] model = bytes(3_000_000, 1);
        Digest digest = Sha256.of(model);
        JsonNode upload = parts(digest, model.length);
        assertThat(upload.path("missing")).hasSize(1);
        JsonNode part = upload.path("missing").get(0);
        assertThat(URI.create(part.path("url").asText()).getPort()).isNotEqualTo(io.restassured.RestAssured.port);
        assertThat(send(part, model)).isEqualTo(200);

        String id = upload.path("id").asText();
        complete(digest, id, model.length).then().statusCode(201);
        given().head(MODELS + digest).then().statusCode(200);
        assertThat(begin(digest, model.length).statusCode()).isEqualTo(204);
        // S3 rejects it, some servers still accept it; the model does not change.
        send(part, bytes(3_000_000, 2));
        complete(digest, id, model.length).then().statusCode(200);
        try (var stored = store.open(new ObjectKey("models/" + digest.hex()), ByteRange.ALL)
                .orElseThrow()) {
            assertThat(stored.readAllBytes()).isEqualTo(model);
        }
    }

    @Test
    void rejectsAWrongDigestAndLeavesNothing() throws Exception {
        byte[] promised = bytes(1_000_000, 3);
        Digest digest = Sha256.of(promised);
        JsonNode upload = parts(digest, promised.length);
        byte[] others = bytes(1_000_000, 4);
        assertThat(send(upload.path("missing").get(0), others)).isEqualTo(200);
        complete(digest, upload.path("id").asText(), promised.length)
                .then()
                .statusCode(400)
                .body("detail", containsString(Sha256.of(others).value()))
                .body("detail", containsString("send the file again"));
        given().head(MODELS + digest).then().statusCode(404);
        assertThat(keys("models/" + digest.hex())).isEmpty();

        JsonNode again = parts(digest, promised.length);
        assertThat(send(again.path("missing").get(0), promised)).isEqualTo(200);
        complete(digest, again.path("id").asText(), promised.length).then().statusCode(201);
    }

    @Test
    void listsMissingPartsAgain() throws Exception {
        byte[] model = bytes(1_000, 5);
        Digest digest = Sha256.of(model);
        JsonNode upload = parts(digest, model.length);
        complete(digest, upload.path("id").asText(), model.length)
                .then()
                .statusCode(409)
                .body("detail", containsString("are missing"));
        assertThat(parts(digest, model.length).path("id")).isEqualTo(upload.path("id"));
        assertThat(send(upload.path("missing").get(0), model)).isEqualTo(200);
        assertThat(parts(digest, model.length).path("missing")).isEmpty();
        complete(digest, upload.path("id").asText(), model.length).then().statusCode(201);
    }

    @Test
    void rejectsImpossibleSizesAndRequests() {
        Digest digest = Sha256.of(bytes(10, 6));
        begin(digest, (64L << 20) + 1).then().statusCode(413).body("detail", containsString("KNABLA_UPLOAD_MEBIBYTES"));
        begin(digest, 0).then().statusCode(400);
        complete(digest, "", 10).then().statusCode(400);
        begin(digest, 10).then().statusCode(200);
        complete(digest, "no-such-upload", 10).then().statusCode(409);
    }
}
