package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class UploadAppTest {
    private static final String MODELS = "/api/v1/models/";

    @Inject
    Home home;

    private static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static Response part(Digest digest, byte[] whole, int from, int to) {
        return given().header("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, whole.length))
                .body(Arrays.copyOfRange(whole, from, to))
                .put(MODELS + digest);
    }

    private void nothingIsLeft(Digest digest) throws IOException {
        try (var files = Files.list(home.uploads())) {
            assertThat(files).noneMatch(file -> file.toString().contains(digest.hex()));
        }
    }

    @Test
    void storesAWholeFile() throws IOException {
        byte[] bytes = bytes(100_000, 1);
        Digest digest = Sha256.of(bytes);
        given().head(MODELS + digest).then().statusCode(404).header("Upload-Offset", "0");
        given().body(bytes).put(MODELS + digest).then().statusCode(201);
        given().head(MODELS + digest).then().statusCode(200);
        given().body(bytes).put(MODELS + digest).then().statusCode(200);
        nothingIsLeft(digest);
    }

    @Test
    void joinsPartsAndResumes() throws IOException {
        byte[] bytes = bytes(50_000, 2);
        Digest digest = Sha256.of(bytes);
        assertThat(part(digest, bytes, 0, 20_000).statusCode()).isEqualTo(202);
        given().head(MODELS + digest).then().statusCode(404).header("Upload-Offset", "20000");
        Response gap = part(digest, bytes, 30_000, 50_000);
        assertThat(gap.statusCode()).isEqualTo(409);
        assertThat(gap.header("Upload-Offset")).isEqualTo("20000");
        assertThat(part(digest, bytes, 20_000, 50_000).statusCode()).isEqualTo(201);
        given().head(MODELS + digest).then().statusCode(200);
        nothingIsLeft(digest);
    }

    @Test
    void discardsAFileWithAWrongDigest() throws IOException {
        Digest digest = Sha256.of(bytes(10, 3));
        given().body(bytes(1000, 4))
                .put(MODELS + digest)
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("detail", containsString("have digest"));
        given().head(MODELS + digest).then().statusCode(404).header("Upload-Offset", "0");
        nothingIsLeft(digest);
    }

    @Test
    void rejectsATooLargeFile() throws IOException {
        byte[] bytes = bytes((1 << 20) + 1, 5);
        Digest digest = Sha256.of(bytes);
        given().body(bytes)
                .put(MODELS + digest)
                .then()
                .statusCode(413)
                .body("detail", containsString("KNABLA_UPLOAD_MEBIBYTES"));
        assertThat(part(digest, bytes, 0, 10).statusCode()).isEqualTo(413);
        nothingIsLeft(digest);
    }

    @Test
    void offersNoDirectUploadForAFileStore() {
        given().contentType("application/json")
                .body("{\"size\": 10}")
                .post(MODELS + Sha256.of(bytes(10, 8)) + "/upload")
                .then()
                .statusCode(501)
                .body("detail", containsString("PUT /api/v1/models/"));
    }

    @Test
    void rejectsBadNamesAndRanges() {
        given().body("x").put(MODELS + "sha256:12").then().statusCode(400);
        Digest digest = Sha256.of(bytes(10, 6));
        for (String range : new String[] {"10-20/30", "bytes 5-4/10", "bytes 0-10/10", "bytes */*"}) {
            given().header("Content-Range", range)
                    .body("x")
                    .put(MODELS + digest)
                    .then()
                    .statusCode(400)
                    .body("detail", containsString("Content-Range"));
        }
    }

    @Test
    void acceptsConcurrentUploadsOfOneFile() throws Exception {
        byte[] bytes = bytes(500_000, 7);
        Digest digest = Sha256.of(bytes);
        Callable<Integer> upload =
                () -> given().body(bytes).put(MODELS + digest).statusCode();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (var answer : threads.invokeAll(Collections.nCopies(8, upload))) {
                assertThat(answer.get()).isIn(200, 201);
            }
        }
        given().head(MODELS + digest).then().statusCode(200);
        nothingIsLeft(digest);
    }
}
