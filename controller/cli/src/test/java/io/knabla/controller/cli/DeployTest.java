package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import io.knabla.functions.unit.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeployTest {
    private static final String POST = "POST /api/v1/functions";
    private static final String DEPLOYED = """
            {"name": "toy", "namespace": "default", "version": 1, "unit": "sha256:00",
             "url": "http://toy.default.localhost:8080/", "result": "deployed", "warnings": []}
            """;

    private final FakePlatform platform = new FakePlatform();
    private final byte[] model = "not really ONNX".getBytes(StandardCharsets.UTF_8);
    private String upload;
    private String missing;

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.write(folder.resolve("toy.onnx"), model);
        Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: toy}
                spec: {model: toy.onnx}
                """);
        String digest = Sha256.of(new ByteArrayInputStream(model)).value();
        upload = "/api/v1/models/" + digest;
        missing = "{\"title\": \"Model missing\", \"missing\": [\"" + digest + "\"]}";
        platform.on(
                "GET /api/v1/functions/default/toy",
                Reply.ok("{\"readyVersion\": 0, \"conditions\": []}"),
                Reply.ok("{\"readyVersion\": 1, \"conditions\": []}"));
    }

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult deploy(String... more) {
        var args = new java.util.ArrayList<>(java.util.List.of("deploy", "--server", platform.url()));
        args.addAll(Arrays.asList(more));
        return CommandResult.knabla(args.toArray(String[]::new));
    }

    private String file() {
        return folder.resolve("function.yaml").toString();
    }

    private void append(String yaml) throws IOException {
        Files.writeString(folder.resolve("function.yaml"), yaml, StandardOpenOption.APPEND);
    }

    @Test
    void everyDocumentOfAFileIsDeployed() throws IOException {
        append("""
                ---
                # the second
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: other}
                spec: {model: toy.onnx}
                ---
                """);
        platform.on(POST, Reply.status(201, DEPLOYED), Reply.status(201, DEPLOYED.replace("toy", "other")));

        CommandResult deploy = deploy("--wait", "0", "-f", file());

        assertThat(deploy.status()).isZero();
        assertThat(deploy.out()).contains("function default/toy deployed", "function default/other deployed");
        assertThat(platform.lines()).containsExactly(POST, POST);
    }

    @Test
    void faultsOfAllDocumentsAreToldBeforeAnyIsDeployed() throws IOException {
        append("---\nkind: Function\nkind: Function\n---\nmetadata: {name: third}\n");

        assertThat(deploy("-f", file()).err())
                .contains("document 2 of 3, has", "kind: written twice, again in line 7")
                .contains("document 3 of 3, has", "apiVersion");
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void aKeyWrittenTwiceIsAFault() throws IOException {
        append("spec: {model: other.onnx}\n");

        assertThat(deploy("-f", file()).err()).contains("spec: written twice, again in line 5, column 1");
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void aDryRunChecksTheModelAndDeploysNothing() throws IOException {
        assertThat(deploy("--dry-run", "-f", file()).err())
                .contains("the model of toy cannot be packaged", "text file that starts 'not really ONNX'");

        Files.write(folder.resolve("toy.onnx"), Files.readAllBytes(Path.of("../../functions/samples/exp/exp.onnx")));
        assertThat(deploy("--dry-run", "-f", file()).lastLine())
                .isEqualTo("function default/toy is right; nothing was deployed");
        assertThat(CommandResult.knabla("validate", "-f", file()).status()).isZero();
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void warningsReachQuietCallersToo() {
        platform.on(
                POST,
                Reply.status(201, DEPLOYED.replace("\"warnings\": []", "\"warnings\": [\"parameters were merged\"]")));

        assertThat(deploy("-q", "-f", file()).err()).isEqualTo("note: parameters were merged\n");
    }

    @Test
    void uploadsMissingFilesWaitsAndPrintsUrl() {
        platform.on(POST, Reply.status(409, missing), Reply.status(201, DEPLOYED))
                .on("PUT " + upload, Reply.status(201, ""));

        CommandResult deploy = deploy("-f", file());

        assertThat(deploy.err()).contains("uploading toy.onnx (15 B)", "starting toy version 1");
        assertThat(deploy.status()).isZero();
        assertThat(deploy.lastLine()).isEqualTo("http://toy.default.localhost:8080/");
        assertThat(platform.asked("PUT " + upload).body()).isEqualTo(model);
    }

    @Test
    void forecastsTheCostOfAnExpectedRate() {
        String forecast = "PUT /api/v1/functions/default/toy/forecast";
        platform.on(POST, Reply.status(201, DEPLOYED))
                .on(
                        forecast,
                        Reply.ok("{\"replicas\": 2, \"offers\": [{\"name\": \"all-spot\", \"cost\": \"23.40\"}]}"),
                        Reply.status(400, "{\"detail\": \"choose a larger node\"}"));

        CommandResult deploy = deploy("-f", file(), "--rate", "20/s");

        assertThat(deploy.out()).containsPattern("all-spot +23.40");
        assertThat(deploy.lastLine()).isEqualTo("http://toy.default.localhost:8080/");
        assertThat(platform.asked(forecast).text()).contains("\"perSecond\" : 20");

        CommandResult tooLarge = deploy("-f", file(), "--rate", "20/s");
        assertThat(tooLarge.status()).isZero();
        assertThat(tooLarge.err()).contains("no forecast of the cost: choose a larger node");
    }

    @Test
    void refusesARateThatItCannotForecast() {
        assertThat(deploy("-f", file(), "--rate", "20").err()).contains("'20' is no rate");
        assertThat(deploy("-f", file(), "--rate", "20/s", "--wait", "0").status())
                .isEqualTo(ExitCodes.USAGE_ERROR);
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void resumesEarlierUpload() {
        platform.on(POST, Reply.status(409, missing), Reply.status(201, DEPLOYED))
                .on("HEAD " + upload, new Reply(404, Map.of("Upload-Offset", "4"), ""))
                .on("PUT " + upload, Reply.status(201, ""));

        assertThat(deploy("-f", file()).status()).isZero();
        var put = platform.asked("PUT " + upload);
        assertThat(put.headers()).containsEntry("content-range", "bytes 4-14/15");
        assertThat(put.body()).isEqualTo(Arrays.copyOfRange(model, 4, model.length));
    }

    @Test
    void asksForOffsetAgainAfterConflict() {
        platform.on(POST, Reply.status(409, missing), Reply.status(201, DEPLOYED))
                .on(
                        "HEAD " + upload,
                        new Reply(404, Map.of("Upload-Offset", "9"), ""),
                        new Reply(404, Map.of("Upload-Offset", "3"), ""))
                .on("PUT " + upload, Reply.status(409, "{}"), Reply.status(201, ""));

        assertThat(deploy("-f", file()).status()).isZero();
        assertThat(platform.asked().stream().filter(one -> one.line().startsWith("PUT")))
                .extracting(one -> one.headers().get("content-range"))
                .containsExactly("bytes 9-14/15", "bytes 3-14/15");
    }

    @Test
    void repeatedDeployIsUnchangedAndSendsNothing() {
        platform.on(POST, Reply.ok(DEPLOYED.replace("\"deployed\"", "\"unchanged\"")));

        CommandResult deploy =
                deploy("toy", "--model", folder.resolve("toy.onnx").toString());

        assertThat(deploy.out()).contains("unchanged");
        assertThat(platform.lines()).noneMatch(line -> line.startsWith("PUT"));
    }

    @Test
    void jsonHasFieldsForScripts() throws IOException {
        platform.on(POST, Reply.status(201, DEPLOYED));

        JsonNode json =
                Documents.JSON.readTree(deploy("-f", file(), "-o", "json").out());

        assertThat(json.properties())
                .extracting(Map.Entry::getKey)
                .contains("name", "namespace", "version", "unit", "url", "seconds");
        assertThat(json.path("seconds").isNumber()).isTrue();
    }

    @Test
    void sendsDigestsInPlaceOfPaths() throws IOException {
        platform.on(POST, Reply.status(201, DEPLOYED));

        deploy("-f", file(), "-n", "lab", "--wait", "0");

        JsonNode sent = Documents.JSON.readTree(platform.asked(POST).text());
        assertThat("/api/v1/models/" + sent.at("/spec/model").asText()).isEqualTo(upload);
        assertThat(sent.at("/metadata/namespace").asText()).isEqualTo("lab");
    }

    @Test
    void anAliasIsTheValueOfItsAnchor() throws IOException {
        Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: &n toy, namespace: *n}
                spec:
                  model: toy.onnx
                  timeout: &t 20s
                  scaling: &s {idleAfter: *t}
                """);
        platform.on(POST, Reply.status(201, DEPLOYED));

        assertThat(deploy("-f", file(), "--wait", "0").status()).isZero();

        JsonNode sent = Documents.JSON.readTree(platform.asked(POST).text());
        assertThat(sent.at("/metadata/namespace").asText()).isEqualTo("toy");
        assertThat(sent.at("/spec/timeout").asText()).isEqualTo("20s");
        assertThat(sent.at("/spec/scaling/idleAfter").asText()).isEqualTo("20s");
    }

    /** Expanded they would be ten to the power of eight. */
    @Test
    void aliasesAreCountedBeforeTheyAreExpanded() throws IOException {
        append("extra:\n- &l0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 8; i++) {
            append("- &l%d [%s]\n".formatted(i, String.join(", ", Collections.nCopies(10, "*l" + (i - 1)))));
        }

        assertThat(deploy("-f", file()).err()).contains("function.yaml has 1 fault", "Number of aliases", "max=20");
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void mergesAreRefused() throws IOException {
        append("extra: &e {kind: Function}\n<<: *e\n");

        assertThat(deploy("-f", file()).err()).contains("unknown key '<<'");
        assertThat(platform.lines()).isEmpty();
    }

    @Test
    void whatIsNoFunctionFileIsNamed() throws IOException {
        Files.write(folder.resolve("function.yaml"), new byte[(1 << 20) + 1]);
        assertThat(deploy("-f", file()).err()).contains("it has more than 1 MiB");
        assertThat(deploy("toy", "--model", folder.toString()).err())
                .contains(folder + " is a folder. Name the model file in it");
        assertThat(platform.asked()).isEmpty();
    }

    @Test
    void reportsAllFaultsBeforeSending() throws IOException {
        Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: Toy}
                spec: {modle: toy.onnx, timeout: soon}
                """);

        CommandResult deploy = deploy("-f", file());

        assertThat(deploy.status()).isEqualTo(1);
        assertThat(deploy.err()).contains("metadata.name", "modle", "spec.timeout");
        assertThat(platform.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--learning-rate 0.1", "--reduction Sum", "--unreachable Zero", "--wrt w"})
    void gradientOptionsNeedLoss(String option) {
        var arguments = new ArrayList<>(List.of("deploy", "toy"));
        arguments.addAll(List.of("--model", folder.resolve("toy.onnx").toString()));
        arguments.addAll(List.of(option.split(" ")));

        CommandResult ran = CommandResult.knabla(arguments.toArray(String[]::new));

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("say with --loss");
    }

    @Test
    void reportsPathOfMissingModel() throws IOException {
        Files.delete(folder.resolve("toy.onnx"));

        CommandResult deploy = deploy("-f", file());

        assertThat(deploy.status()).isEqualTo(1);
        assertThat(deploy.err()).contains(folder.resolve("toy.onnx").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CrashLoop", "PlacementFailed", "ImagePullBackOff", "FeatureDisabled"})
    void failsAtOnceIfVersionCannotStart(String reason) {
        platform.on(POST, Reply.status(201, DEPLOYED))
                .on(
                        "GET /api/v1/functions/default/toy",
                        Reply.ok("{\"conditions\": [{\"type\": \"Ready\", \"status\": \"False\","
                                + " \"reason\": \"%s\", \"message\": \"it does not go\"}]}".formatted(reason)));

        CommandResult deploy = deploy("-f", file(), "--wait", "1");

        assertThat(deploy.status()).isEqualTo(1);
        assertThat(deploy.err()).contains("does not start (" + reason + "): it does not go", "./knabla logs toy");
    }
}
