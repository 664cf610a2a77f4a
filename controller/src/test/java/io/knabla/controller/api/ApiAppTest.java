package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.oneOf;
import static org.hamcrest.Matchers.startsWith;

import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class ApiAppTest {
    private static final String API = "/api/v1";
    private static final byte[] MODEL = read();

    @Inject
    Home home;

    @Inject
    ObjectStore store;

    private static byte[] read() {
        try {
            return Files.readAllBytes(Path.of("../functions/samples/add-sub/add-sub.onnx"));
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String digest(byte[] bytes) {
        return Sha256.of(bytes).value();
    }

    private static void upload() {
        given().body(MODEL).put(API + "/models/" + digest(MODEL)).then().statusCode(oneOf(200, 201));
    }

    private static String function(String name, String more) {
        return """
               apiVersion: knabla.dev/v1alpha1
               kind: Function
               metadata: {name: %s}
               spec:
                 model: %s
                 %s
               """.formatted(name, digest(MODEL), more);
    }

    /** Sends bytes, because the test client guesses the charset of text with an unknown media type. */
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ValidatableResponse post(String yaml) {
        return given().contentType("application/yaml")
                .body(utf8(yaml))
                .post(API + "/functions")
                .then();
    }

    private static ValidatableResponse problem(ValidatableResponse answer, int status) {
        return answer.statusCode(status)
                .contentType("application/problem+json")
                .body("status", equalTo(status))
                .body("detail", not(equalTo("")));
    }

    @Test
    void namesTheModelToUpload() {
        String absent = "sha256:" + "a".repeat(64);
        problem(post(function("absent", "").replace(digest(MODEL), absent)), 409)
                .body("missing", hasItem(absent));
    }

    @Test
    void refusesAGpuThatThisMachineLacks() {
        upload();

        problem(post(function("gpu", "resources: {gpu: 8}")), 400)
                .body("faults.path", hasItem("spec.resources.gpu"))
                .body("faults.message", hasItem(containsString("this machine offers no GPU")));
        given().get(API + "/functions/default/gpu").then().statusCode(404);
    }

    @Test
    void repackagesAUnitThatTheStoreLost() {
        upload();
        String unit = post(function("lost", "")).statusCode(201).extract().path("unit");
        ObjectKey manifest = ObjectKey.of("units", new Digest(unit).hex() + ".json");
        assertThat(store.delete(manifest)).isTrue();

        post(function("lost", "")).statusCode(200).body("result", equalTo("unchanged"));

        assertThat(store.stat(manifest)).isPresent();
        given().delete(API + "/functions/default/lost").then().statusCode(204);
    }

    @Test
    void tellsOfAScheduleThatNeverBegins() {
        upload();
        String never = "keepWarm: {schedule: [{cron: '0 8 30 2 *', timezone: UTC, duration: 1h, min: 1}]}";
        var told = hasItem(startsWith("spec.keepWarm.schedule[0].cron is '0 8 30 2 *', a date that no year has"));
        post(function("never", never)).statusCode(201).body("warnings", told);
        given().get(API + "/functions/default/never").then().body("warnings", told);
        given().delete(API + "/functions/default/never").then().statusCode(204);
    }

    @Test
    void deploysSplitsRollsBackAndDeletes() {
        upload();
        post(function("walk", ""))
                .statusCode(201)
                .body("version", equalTo(1))
                .body("result", equalTo("deployed"))
                .body("unit", startsWith("sha256:"))
                .body("url", containsString("/functions/default/walk"))
                .body("warnings", hasItem(containsString("KNABLA_REPLICA_HOME")));
        post(function("walk", "")).statusCode(200).body("result", equalTo("unchanged"));
        post(function("walk", "scaling: {max: 3}"))
                .statusCode(200)
                .body("version", equalTo(1))
                .body("warnings", hasItem(startsWith("version 1 now has scaling.max 3")));
        post(function("walk", "timeout: 5s")).statusCode(201).body("version", equalTo(2));

        String walk = API + "/functions/default/walk";
        given().get(walk)
                .then()
                .statusCode(200)
                .body("latestVersion", equalTo(2))
                .body("traffic[0].version", equalTo(2))
                .body("type", equalTo("Inference"))
                .body("spec.timeout", equalTo("5s"))
                .body("replicas.ready", equalTo(0))
                .body("analysis.flops", equalTo(32))
                .body("analysis.predictedMillis", greaterThan(0f))
                .body("analysis.machine.source", equalTo("assumed"));
        given().contentType(ContentType.JSON)
                .body("{\"traffic\":[{\"version\":1,\"percent\":90},{\"version\":2,\"percent\":10}]}")
                .put(walk + "/traffic")
                .then()
                .statusCode(200)
                .body("traffic", hasSize(2));
        given().get(walk + "/versions")
                .then()
                .statusCode(200)
                .body("items.version", equalTo(Arrays.asList(1, 2)))
                .body("items.traffic", equalTo(Arrays.asList(90, 10)));
        rollback(walk, "").body("traffic.version", equalTo(Arrays.asList(1)));
        rollback(walk, "{\"to\":2}").body("traffic.version", equalTo(Arrays.asList(2)));
        rollback(walk, "").body("traffic.version", equalTo(Arrays.asList(1)));
        problem(given().post(walk + "/rollback").then(), 400)
                .body("faults[0].message", containsString("no version before 1"));
        problem(given().body("{\"to\":\n [1").post(walk + "/rollback").then(), 400)
                .body("faults[0].message", endsWith("stopped at line 2, column 4"));
        problem(given().body("{\"to\":99999999999}").post(walk + "/rollback").then(), 400)
                .body("faults[0].message", containsString("at most 2147483647"));
        given().get(API + "/functions?namespace=default").then().body("items.name", hasItem("walk"));
        given().get(API + "/functions?namespace=other").then().body("items", hasSize(0));

        given().delete(walk).then().statusCode(204);
        problem(given().get(walk).then(), 404);
        problem(given().delete(walk).then(), 404);
        post(function("walk", "")).statusCode(201).body("version", equalTo(1));
        given().delete(walk).then().statusCode(204);
    }

    @Test
    void aTagHasAUrl() {
        upload();
        post(function("tagged", "")).statusCode(201);
        post(function("tagged", "timeout: 5s")).statusCode(201);
        given().contentType(ContentType.JSON)
                .body(
                        "{\"traffic\":[{\"version\":1,\"percent\":90},{\"latest\":true,\"percent\":10,\"tag\":\"canary\"}]}")
                .put(API + "/functions/default/tagged/traffic")
                .then()
                .statusCode(200)
                .body("traffic[1].version", equalTo(2))
                .body("traffic[1].latest", equalTo(true))
                .body("traffic[1].url", endsWith("/functions/default/canary-tagged"));
        given().delete(API + "/functions/default/tagged").then().statusCode(204);
    }

    private static ValidatableResponse rollback(String function, String body) {
        return given().contentType(ContentType.JSON)
                .body(body)
                .post(function + "/rollback")
                .then()
                .statusCode(200);
    }

    @Test
    void deploysAUnitByItsDigest() {
        upload();
        String unit = post(function("unit-a", "")).statusCode(201).extract().path("unit");
        post(function("unit-b", "").replace(digest(MODEL), unit))
                .statusCode(201)
                .body("unit", equalTo(unit));
        given().delete(API + "/functions/default/unit-a").then().statusCode(204);
        given().delete(API + "/functions/default/unit-b").then().statusCode(204);
    }

    @Test
    void acceptsALocalFileOnALoopbackHost() {
        Path file = Path.of("../functions/samples/add-sub/add-sub.onnx")
                .toAbsolutePath()
                .normalize();
        post(function("file", "").replace(digest(MODEL), file.toUri().toString()))
                .statusCode(201);
        given().delete(API + "/functions/default/file").then().statusCode(204);
        problem(post(function("file", "").replace(digest(MODEL), "file:///no/such/model.onnx")), 400)
                .body("faults[0].path", equalTo("spec.model"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            path       | models/digits.onnx      | which uploads it
            https      | https://host/a.onnx     | not supported yet
            bad digest | sha256:12               | 64 lower-case hex digits
            """)
    void rejectsAnUnreachableModel(String name, String model, String sentence) {
        problem(post(function("refused", "").replace(digest(MODEL), model)), 400)
                .body("faults.message", hasItem(containsString(sentence)));
    }

    @Test
    void reportsEveryFaultAtOnce() {
        problem(post(function("many", "timeout: never\n  colour: blue")), 400).body("faults", hasSize(2));
    }

    @Test
    void checksTrafficAgainstTheVersionsAfterTheDeploy() {
        upload();
        problem(post(function("early", "traffic: [{version: 7, percent: 50}]")), 400)
                .body("faults.path", hasItem(startsWith("spec.traffic")));
        given().get(API + "/functions/default/early").then().statusCode(404);
    }

    @Test
    void rejectsAFileThatIsNotOnnx() {
        byte[] text = utf8("this is no model");
        given().body(text).put(API + "/models/" + digest(text)).then().statusCode(201);
        problem(post(function("text", "").replace(digest(MODEL), digest(text))), 400)
                .body("faults[0].path", equalTo("spec.model"));
        problem(
                given().contentType("application/octet-stream")
                        .body(text)
                        .post(API + "/analysis")
                        .then(),
                400);
    }

    @Test
    void analysesAModelWithoutKeepingIt() throws IOException {
        given().contentType("application/octet-stream")
                .body(MODEL)
                .post(API + "/analysis")
                .then()
                .statusCode(200)
                .body("flops", equalTo(32))
                .body("predictedMillis", greaterThan(0f))
                .body("machine.source", equalTo("assumed"));
        try (var left = Files.list(home.uploads())) {
            assertThat(left).noneMatch(file -> file.toString().endsWith(".tmp"));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            no json           | {                                                   | not JSON
            a list            | []                                                  | JSON object
            nothing           | {}                                                  | must be a list
            unknown key       | {"trafic":[]}                                       | unknown key
            twice             | {"traffic":[],"traffic":[]}                         | not JSON
            text for a number | {"traffic":[{"version":"1","percent":100}]}         | whole number
            too large         | {"traffic":[{"version":99999999999,"percent":100}]} | whole number
            not a hundred     | {"traffic":[{"version":1,"percent":99}]}            | add up to 99
            negative          | {"traffic":[{"version":1,"percent":-1}]}            | 0 to 100
            no such version   | {"traffic":[{"version":9,"percent":100}]}           | no version 9
            latest and number | {"traffic":[{"version":1,"latest":true,"percent":100}]} | leave out one
            no tag            | {"traffic":[{"version":1,"percent":100,"tag":"Best One"}]} | at most 20 lower-case letters
            one version twice | {"traffic":[{"version":1,"percent":50},{"version":1,"percent":50}]} | named twice
            """)
    void rejectsBadTraffic(String name, String body, String sentence) {
        upload();
        post(function("split", "")).statusCode(oneOf(200, 201));
        problem(
                        given().contentType(ContentType.JSON)
                                .body(body)
                                .put(API + "/functions/default/split/traffic")
                                .then(),
                        400)
                .body("faults.message", hasItem(containsString(sentence)));
    }

    @Test
    void answersUnknownPathsWithAProblem() {
        problem(given().get("/nothing").then(), 404);
        problem(given().get(API + "/nothing").then(), 404);
        problem(given().get(API + "/functions/default/absent").then(), 404);
        problem(given().get(API + "/functions/Not_a_label/x").then(), 404);
        problem(given().patch(API + "/functions").then(), 405);
        problem(
                given().contentType("image/png")
                        .body(utf8("x"))
                        .post(API + "/functions")
                        .then(),
                415);
        problem(post("x".repeat((1 << 20) + 1)), 413);
    }

    @Test
    void rejectsANameThatDiffersFromThePath() {
        problem(
                        given().contentType("application/yaml")
                                .body(utf8(function("one", "")))
                                .put(API + "/functions/other/two")
                                .then(),
                        400)
                .body("faults.path", equalTo(Arrays.asList("metadata.namespace", "metadata.name")));
    }

    @Test
    void servesLogsAsTextOrEvents() throws IOException {
        upload();
        post(function("logs", "")).statusCode(201);
        Path log = home.logs().resolve("default/logs/logs-v1-test.log");
        Files.createDirectories(log.getParent());
        Files.writeString(log, "first\nsecond\nunfinished");
        given().get(API + "/functions/default/logs/logs?tail=1000")
                .then()
                .statusCode(200)
                .contentType("text/plain")
                .body(containsString("[logs-v1-test] second\n"))
                .body(not(containsString("unfinished")));
        problem(given().get(API + "/functions/default/logs/logs?tail=-1").then(), 400);
        problem(given().get(API + "/functions/default/logs/logs?tail=all").then(), 400);
        given().delete(API + "/functions/default/logs").then().statusCode(204);
    }

    @Test
    void showsNodesAndReplicasWithoutSecrets() {
        given().get(API + "/nodes").then().statusCode(200).body("items[0].slots", not(equalTo(0)));
        String replicas =
                given().get(API + "/replicas").then().statusCode(200).extract().asString();
        assertThat(replicas).contains("items").doesNotContain("token");
    }

    @Test
    void servesHealthMetricsAndOpenApi() {
        given().get("/q/health/live").then().statusCode(200);
        given().get("/q/health/ready").then().statusCode(200).body("checks.name", hasItem("store"));
        given().get("/q/metrics").then().statusCode(200);
        given().redirects().follow(false).get("/metrics").then().statusCode(301).header("Location", "/q/metrics");
        given().get("/docs/errors")
                .then()
                .header("Content-Security-Policy", startsWith("default-src 'none'; style-src"));
        given().get("/q/openapi")
                .then()
                .statusCode(200)
                .body(containsString("/api/v1/functions/{namespace}/{name}/traffic"));
        given().get("/").then().statusCode(200).body("openapi", equalTo("/q/openapi"));
    }

    @Test
    void refusesRequestsOfForeignPages() {
        problem(
                given().header("Origin", "http://elsewhere.example")
                        .get(API + "/nodes")
                        .then(),
                403);
        problem(given().header("Host", "elsewhere.example").get(API + "/nodes").then(), 403);
    }
}
