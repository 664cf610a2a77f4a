package io.knabla.controller.cli.verbs.context;

import static io.knabla.controller.cli.CommandResult.knabla;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CommandResult;
import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to a user when a kubeconfig context leads to no platform; a stub API server responds. */
class ContextTest {
    private static final String DIGITS = "/apis/knabla.dev/v1alpha1/namespaces/team/functions/digits";
    private static final String KUBECONFIG = "kubeconfig";
    private static final String SYSTEM = "GET /api/v1/namespaces/knabla-system";
    private static final String CONTROLLER = "?labelSelector=app.kubernetes.io%2Fname%3Dknabla-controller";

    @TempDir
    Path folder;

    private final FakePlatform api = new FakePlatform();

    @BeforeEach
    void writeKubeconfig() throws IOException {
        Path file = folder.resolve("config");
        Files.writeString(file, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s"}}]
                users: [{name: u, user: {token: t}}]
                contexts:
                - {name: here, context: {cluster: c, user: u, namespace: team}}
                - {name: other, context: {cluster: c, user: u}}
                current-context: other
                """.formatted(api.url()));
        // Fabric8 reads it before KUBECONFIG, which a JVM cannot set for itself.
        System.setProperty(KUBECONFIG, file.toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(KUBECONFIG);
        api.close();
    }

    @Test
    void reportsUnknownContextWithKnownOnes() {
        CommandResult ran = knabla("list", "--context", "their");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("no context 'their'", "there are here, other");
    }

    @Test
    void namesMissingKubeconfig() {
        System.setProperty(KUBECONFIG, folder.resolve("none").toString());

        CommandResult ran = knabla("list", "--context", "here");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("no kubeconfig", folder.resolve("none").toString());
    }

    private static CommandResult inKubeconfig(String content, String... args) throws IOException {
        Files.writeString(Path.of(System.getProperty(KUBECONFIG)), content);
        return knabla(args);
    }

    private static CommandResult onServer(String server, String... args) throws IOException {
        return inKubeconfig("""
                clusters: [{name: c, cluster: {server: "%s"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(server), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contexts: [\n  a: b: c", "\"", "contexts: here"})
    void reportsBrokenKubeconfigInOneLine(String content) throws IOException {
        CommandResult ran = inKubeconfig(content, "list", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err().strip().lines()).hasSize(1);
        assertThat(ran.err())
                .contains("cannot read the kubeconfig " + folder.resolve("config"), "KUBECONFIG")
                .doesNotContain("This is a bug in knabla");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    http://127.0.0.1:1     | list                                | 1 | the API server of context 'here' does not answer at http://127.0.0.1:1
                    https://nosuch.invalid | list                                | 1 | cannot be resolved from here
                    http://127.0.0.1:1     | delete x                            | 1 | does not answer at
                    http://127.0.0.1:1     | doctor                              | 1 | no answer from http://127.0.0.1:1
                    not a url              | list                                | 2 | has the server 'http://not a url/'
                    not a url              | doctor                              | 2 | has the server 'http://not a url/'
                    http://127.0.0.1:1     | invoke x -i /dev/null --ingress ftp://x | 2 | 'ftp://x' is no address. Write --ingress http://HOST:PORT.
                    """)
    void reportsAddressOfUnreachableCluster(String server, String line, int status, String told) throws IOException {
        CommandResult ran = onServer(server, (line + " --context here").split(" "));

        assertThat(ran.status()).as(ran.err()).isEqualTo(status);
        assertThat(ran.out() + ran.err())
                .contains(told)
                .doesNotContain("This is a bug in knabla", "An error has occurred");
    }

    @Test
    void rejectsContextTogetherWithServer() {
        CommandResult ran = knabla("list", "--context", "here", "--server", "http://127.0.0.1:1");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("use only one of them");
    }

    @Test
    void explainsInstallationIfControllerIsMissing() {
        Reply none = Reply.ok(list("Service", ""));
        api.on(SYSTEM + "/services" + CONTROLLER, none);
        api.on("GET /api/v1/services" + CONTROLLER, none);

        CommandResult ran = knabla("list", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("no Knabla controller in the cluster of context 'here'", "kubectl apply -k");
    }

    /** A user with rights in single namespaces may not list all, and another namespace may hold an impostor. */
    @Test
    void searchesControllerInItsNamespaceFirst() {
        api.on(SYSTEM + "/services" + CONTROLLER, status(403, "services is forbidden"));

        CommandResult ran = knabla("list", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains(
                        "context 'here' may not look for the controller's Service in knabla-system",
                        "Role knabla-user",
                        "services is forbidden");
        assertThat(api.lines()).hasSize(1);
    }

    /** The API server refuses a port-forward at its first use, not when it is created. */
    @Test
    void reportsRefusedPortForwardAsMissingRight() {
        controllerIsThere();
        api.on(SYSTEM + "/pods/p/portforward?ports=8080", status(403, "forbidden"));

        CommandResult ran = knabla("list", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains(
                        "context 'here' may not forward a port to the controller in knabla-system",
                        "Role knabla-user",
                        "403 to verb get of pods/portforward")
                .doesNotContain("./knabla up");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    401 | Unauthorized | does not accept the credentials
                    403 | functions.knabla.dev \"digits\" is forbidden | context 'here' may not delete function team/digits
                    """)
    void reportsRefusalsOfApiServer(int code, String message, String told) {
        api.on("DELETE " + DIGITS, status(code, message));

        CommandResult ran = knabla("delete", "digits", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains(told).doesNotContain("This is a bug in knabla");
    }

    @Test
    void reportsMissingCrdBeforeUpload() {
        Path sample = Path.of("..", "..", "functions", "samples", "add-sub", "function.yaml");

        CommandResult ran = knabla("deploy", "-f", sample.toString(), "--context", "here", "-n", "team");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).contains("functions.knabla.dev is not installed", "kubectl apply -k");
        assertThat(api.lines()).hasSize(1).first().asString().startsWith("PATCH ");
    }

    @Test
    void reportsUnreadableToken() {
        controllerIsThere();
        api.on(SYSTEM + "/pods/p/portforward?ports=8080", Reply.broken());
        api.on(SYSTEM + "/secrets/knabla-token", status(500, "etcd is away"));

        CommandResult ran = knabla("list", "--context", "here");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err())
                .contains("cannot read the controller's token in knabla-system", "etcd is away")
                .doesNotContain("This is a bug in knabla");
    }

    private void controllerIsThere() {
        api.on(SYSTEM + "/services" + CONTROLLER, Reply.ok(list("Service", """
                                {"metadata": {"name": "c", "namespace": "knabla-system"},
                                 "spec": {"selector": {"a": "b"}, "ports": [{"port": 80, "targetPort": 8080}]}}
                                """)));
        api.on(SYSTEM + "/pods?labelSelector=a%3Db", Reply.ok(list("Pod", """
                                {"metadata": {"name": "p", "namespace": "knabla-system"},
                                 "spec": {}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
                                """)));
    }

    @Test
    void withoutWaitReportsAcceptedWithoutVersion() throws IOException {
        api.on("GET " + DIGITS, status(404, "functions.knabla.dev \"digits\" not found"));
        String seen = ", \"status\": {\"observedGeneration\": 3, \"latestVersion\": 2, \"readyVersion\": 2,"
                + " \"url\": \"http://digits.team\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}";
        applying(1, "");
        CommandResult fresh = deployWithoutWaiting();
        applying(4, seen);
        CommandResult changed = deployWithoutWaiting("-o", "json");
        applying(3, seen);
        CommandResult same = deployWithoutWaiting();

        assertThat(fresh.out().lines())
                .as(fresh.err())
                .singleElement()
                .asString()
                .startsWith("function team/digits accepted, in ");
        JsonNode told = Documents.JSON.readTree(changed.out());
        assertThat(told.path("result").asText()).isEqualTo("accepted");
        assertThat(told.path("url").asText()).isEqualTo("http://digits.team");
        assertThat(told.has("version")).isFalse();
        assertThat(same.out())
                .startsWith("function team/digits unchanged, version 2")
                .endsWith("http://digits.team\n");
    }

    private void applying(int generation, String more) {
        Reply reply = Reply.ok("""
                {"apiVersion": "knabla.dev/v1alpha1", "kind": "Function",
                 "metadata": {"name": "digits", "namespace": "team", "generation": %d}%s}
                """.formatted(generation, more));
        String patch = "PATCH " + DIGITS + "?";
        api.on(patch + "fieldValidation=Strict&fieldManager=knabla-cli&force=true", reply);
        api.on(patch + "fieldValidation=Strict&fieldManager=knabla-cli&dryRun=All&force=true", reply);
    }

    private CommandResult deployWithoutWaiting(String... more) {
        var args = new ArrayList<>(
                List.of("deploy", "digits", "--model", "s3://models/digits.onnx", "--wait", "0", "--context", "here"));
        args.addAll(List.of(more));
        return knabla(args.toArray(String[]::new));
    }

    private static String list(String kind, String item) {
        return "{\"kind\": \"%sList\", \"apiVersion\": \"v1\", \"items\": [%s]}".formatted(kind, item);
    }

    private static Reply status(int code, String message) {
        return Reply.status(code, """
                {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d,
                 "message": "%s", "details": {}}
                """.formatted(code, message.replace("\"", "\\\"")));
    }
}
