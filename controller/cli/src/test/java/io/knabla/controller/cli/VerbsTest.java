package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerbsTest {
    private static final String VIEW = """
            {"name": "digits", "namespace": "default", "type": "Inference",
             "url": "http://digits.default.localhost:8080/", "latestVersion": 2, "readyVersion": 2,
             "traffic": [{"version": 1, "percent": 90}, {"version": 2, "percent": 10}],
             "replicas": {"ready": 3, "starting": 0}, "unit": "sha256:0123456789abcdef",
             "created": "2026-01-01T00:00:00Z", "spec": {"type": "Inference", "timeout": "30s"},
             "conditions": [{"type": "Ready", "status": "True", "reason": "Ready", "message": "fine"}]}
            """;
    private static final String COLLECTED = """
            {"dryRun": false, "grace": "1h", "garbageObjects": 2, "garbageBytes": 20, "seconds": 0.5,
             "kinds": [{"kind": "blobs", "kept": 3, "keptBytes": 30, "garbage": 2, "garbageBytes": 20}],
             "reasons": [{"reason": "NO_VERSION", "keeps": false, "because": "no version needs it",
                          "objects": 2, "bytes": 20}],
             "garbage": [{"key": "blobs/aa", "bytes": 15, "reason": "no version needs it"}],
             "machine": {"garbageFiles": 3, "garbageBytes": 2048, "deletedFiles": 3, "troubles": [],
                         "kinds": [{"kind": "logs", "kept": 4, "keptBytes": 9, "garbage": 3, "garbageBytes": 2048}],
                         "garbage": [{"key": "/home/logs/a/b/c.log", "bytes": 2048, "reason": "it is old"}]},
             "troubles": []}
            """;
    private static final String REPLICAS = """
            {"items": [{"id": "digits-v1-7", "namespace": "default", "function": "digits", "state": "READY",
              "node": "spot-a", "capacityType": "Spot", "placement": {"cause": "NEEDED", "message": "the load needs it"},
              "warning": {"kind": "INTERRUPTION_WARNING", "secondsLeft": 80}},
              {"id": "digits-v1-8", "namespace": "default", "function": "digits", "state": "STOPPED"}]}
            """;
    private static final String ONE = "/api/v1/functions/default/digits";

    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult run(String... args) {
        var all = new java.util.ArrayList<>(java.util.List.of(args));
        all.addAll(java.util.List.of("--server", platform.url()));
        return CommandResult.knabla(all.toArray(String[]::new));
    }

    @Test
    void listShowsOneLinePerFunction() {
        platform.on("GET /api/v1/functions", Reply.ok("{\"items\": [" + VIEW + "]}"));

        CommandResult list = run("list");

        assertThat(list.status()).isZero();
        assertThat(list.out().lines().findFirst().orElseThrow())
                .matches("NAME +NAMESPACE +READY +VERSION +REPLICAS +URL +AGE");
        assertThat(list.lastLine())
                .matches("digits +default +True +2 +3 +http://digits.default.localhost:8080/ +\\d+d");
    }

    @Test
    void listPrintsJsonYamlAndNames() throws Exception {
        platform.on("GET /api/v1/functions", Reply.ok("{\"items\": [" + VIEW + "]}"));

        assertThat(Documents.JSON
                        .readTree(run("list", "-o", "json").out())
                        .at("/items/0/name")
                        .asText())
                .isEqualTo("digits");
        assertThat(run("list", "-o", "yaml").out()).contains("- name: digits");
        assertThat(run("list", "-o", "name").out().strip()).isEqualTo("digits");
        assertThat(run("list", "-o", "wide").out()).contains("1=90% 2=10%");
    }

    @Test
    void listEncodesNamespace() {
        platform.on("GET /api/v1/functions?namespace=a%20b", Reply.ok("{\"items\": []}"));

        assertThat(run("list", "-n", "a b").status()).isZero();
    }

    @Test
    void listFiltersByNamespace() {
        platform.on("GET /api/v1/functions?namespace=lab", Reply.ok("{\"items\": []}"));

        CommandResult list = run("list", "-n", "lab");

        assertThat(list.status()).isZero();
        assertThat(list.out()).isEmpty();
        assertThat(list.err()).contains("No functions");
    }

    @Test
    void describeShowsConditionsAndSpec() {
        platform.on("GET " + ONE, Reply.ok(VIEW)).on("GET /api/v1/replicas", Reply.ok(REPLICAS));

        assertThat(run("describe", "digits").out())
                .contains("Ready", "fine", "timeout: 30s")
                .contains(
                        "digits-v1-7 READY on spot-a (Spot): the load needs it; its node: INTERRUPTION_WARNING, 80 s left")
                .doesNotContain("digits-v1-8");
    }

    @Test
    void describeShowsChecks() {
        platform.on("GET /api/v1/replicas", Reply.ok("{\"items\": []}"));
        platform.on(
                "GET " + ONE,
                Reply.ok(
                        VIEW.replace(
                                "\"spec\"",
                                "\"analysis\": {\"flops\": 5, \"gradientCheck\": {\"gradientError\": 0.0000021, \"directions\": 3, \"kinks\": 0}, \"batching\": {\"finding\": \"NOT_CHECKED\", \"reason\": \"it is random\"}}, \"spec\"")));

        assertThat(run("describe", "digits").out())
                .contains(
                        "differs from finite differences of the loss by 2.1e-06 along 3 random directions",
                        "not checked whether rows change each other's answers: it is random");
    }

    @Test
    void versionsShowTrafficShare() {
        platform.on(
                "GET " + ONE + "/versions",
                Reply.ok("{\"items\": [{\"version\": 1, \"traffic\": 90, \"replicas\": 2}]}"));

        assertThat(run("versions", "digits").lastLine()).matches(" *1 +90 % +2 .*");
    }

    @Test
    void trafficSendsTheShares() throws Exception {
        platform.on("PUT " + ONE + "/traffic", Reply.ok("{}")).on("GET " + ONE, Reply.ok(VIEW));

        CommandResult traffic = run("traffic", "digits", "1=90", "2=10");

        assertThat(traffic.out().strip()).isEqualTo("1=90% 2=10%");
        var sent = new HashMap<Integer, Integer>();
        Documents.JSON
                .readTree(platform.asked("PUT " + ONE + "/traffic").text())
                .path("traffic")
                .forEach(part -> sent.put(
                        part.path("version").asInt(), part.path("percent").asInt()));
        assertThat(sent).isEqualTo(Map.of(1, 90, 2, 10));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1=90 latest=10      | 1=90 latest=10 2=0@canary
            2=100               | 2=100@canary
            2=100 --untag canary | 2=100
            --tag latest=next   | 1=90 2=10@canary latest=0@next
            --tag 1=canary      | 1=90@canary 2=10
            """)
    void tagsStayUntilTheyAreRemoved(String arguments, String sent) {
        String view = VIEW.replace("\"percent\": 10", "\"percent\": 10, \"tag\": \"canary\", \"url\": \"http://c\"");
        platform.on("PUT " + ONE + "/traffic", Reply.ok("{}")).on("GET " + ONE, Reply.ok(view));

        CommandResult traffic = run(("traffic digits " + arguments).split(" "));

        assertThat(traffic.out().strip()).isEqualTo("1=90% 2=10% (canary)\ncanary: http://c");
        assertThat(PresentTrafficText.of(
                        platform.asked("PUT " + ONE + "/traffic").text()))
                .isEqualTo(sent);
    }

    @Test
    void rollbackNamesTheVersion() {
        platform.on("POST " + ONE + "/rollback", Reply.ok("{}")).on("GET " + ONE, Reply.ok(VIEW));

        assertThat(run("rollback", "digits", "--to", "1").status()).isZero();
        assertThat(platform.asked("POST " + ONE + "/rollback").text()).contains("\"to\" : 1");
    }

    @Test
    void deletesSeveralFunctions() {
        platform.on("DELETE " + ONE, Reply.status(204, ""));

        CommandResult delete = run("delete", "ghost", "digits");

        assertThat(delete.status()).isEqualTo(1);
        assertThat(delete.out().strip()).isEqualTo("function default/digits deleted");
        assertThat(delete.err()).contains("no such thing");
    }

    @Test
    void deleteReportsEachFailure() {
        platform.on("DELETE " + ONE, Reply.status(204, ""));

        CommandResult delete = run("delete", "ghost", "digits", "spectre");

        assertThat(delete.status()).isEqualTo(1);
        assertThat(delete.err()).contains("2 of 3 functions are not deleted", "default/ghost", "default/spectre");
    }

    @Test
    void deletePrintsJsonYamlAndNames() throws Exception {
        platform.on("DELETE " + ONE, Reply.status(204, ""));

        assertThat(Documents.JSON
                        .readTree(run("delete", "digits", "-o", "json").out())
                        .at("/items/0"))
                .hasToString("{\"name\":\"digits\",\"namespace\":\"default\",\"result\":\"deleted\"}");
        assertThat(run("delete", "digits", "-o", "yaml").out()).contains("- name: digits");
        assertThat(run("delete", "digits", "-o", "name").out().strip()).isEqualTo("digits");
    }

    @Test
    void logsFollowPrintsEventsOnly() {
        platform.on(
                "GET " + ONE + "/logs?follow=true", Reply.ok("event: line\ndata: one\n\n: heartbeat\n\ndata: two\n\n"));

        assertThat(run("logs", "digits", "-f").out().lines()).containsExactly("one", "two");
    }

    @Test
    void reportsAllFaultsOfPlatform() {
        platform.on("GET " + ONE, Reply.ok(VIEW));
        platform.on(
                "PUT " + ONE + "/traffic",
                Reply.status(
                        400,
                        "{\"title\": \"Refused\", \"detail\": \"2 faults\", \"faults\": ["
                                + "{\"path\": \"traffic\", \"message\": \"adds up to 50\"},"
                                + "{\"path\": \"\", \"message\": \"no version 9\"}]}"));

        CommandResult traffic = run("traffic", "digits", "9=50");

        assertThat(traffic.status()).isEqualTo(1);
        assertThat(traffic.err()).contains("2 faults\n  traffic: adds up to 50\n  no version 9");
    }

    @Test
    void reportsUnreachablePlatformWithFix() {
        String gone = platform.url();
        platform.close();

        CommandResult list = CommandResult.knabla("list", "--server", gone);

        assertThat(list.status()).isEqualTo(1);
        assertThat(list.out()).isEmpty();
        assertThat(list.err()).contains("no platform answers at " + gone, "./knabla up", "KNABLA_SERVER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lst", "--nonsense", "list --output xml", "describe", "deploy", "invoke x"})
    void wrongUsageExitsWithTwoAndEmptyStdout(String line) {
        CommandResult wrong = CommandResult.knabla(line.split(" "));

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).startsWith("knabla: ");
    }

    @Test
    void gcReportsObjectsAndReasons() {
        platform.on("POST /api/v1/gc", Reply.ok(COLLECTED));

        CommandResult gc = run("gc", "--grace", "1h", "-o", "wide");

        assertThat(gc.status()).isZero();
        assertThat(platform.asked("POST /api/v1/gc").text()).contains("\"grace\" : \"1h\"", "\"dryRun\" : false");
        assertThat(gc.out())
                .containsPattern("blobs +3 +30 B +2 +20 B")
                .containsPattern("delete +no version needs it +2 +20 B")
                .containsPattern("blobs/aa +15 B +no version needs it")
                .containsPattern("logs +4 +9 B +3 +2.0 KiB")
                .containsPattern("/home/logs/a/b/c.log +2.0 KiB +it is old");
        assertThat(gc.lastLine()).isEqualTo("deleted 2 objects, 20 B, and 3 files of its machine, 2.0 KiB in 0.5 s");
        assertThat(run("gc", "--dry-run").lastLine()).contains("would delete 2 objects");
        assertThat(run("gc", "-o", "name").out().strip()).isEqualTo("blobs/aa\n/home/logs/a/b/c.log");
    }

    @Test
    void gcFailsIfDeletionIsUnsafe() {
        platform.on(
                "POST /api/v1/gc",
                Reply.ok("{\"kinds\": [], \"troubles\": [\"unit sha256:0 is damaged\"]}"),
                Reply.status(409, "{\"detail\": \"the catalog cannot be read\"}"));

        CommandResult doubtful = run("gc");

        assertThat(doubtful.status()).isEqualTo(1);
        assertThat(doubtful.err()).contains("unit sha256:0 is damaged");
        assertThat(run("gc").status()).isEqualTo(1);
        assertThat(run("gc", "--grace", "soon").status()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "up",
                "deploy",
                "list",
                "describe",
                "versions",
                "delete",
                "logs",
                "invoke",
                "traffic",
                "rollback",
                "gc",
                "analyze",
                "simulate",
                "doctor",
                "bench",
                "test",
                "completion"
            })
    void helpOfEveryVerbHasExample(String verb) {
        CommandResult help = CommandResult.knabla(verb, "--help");

        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("Usage: knabla " + verb, "Example", "./knabla " + verb);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cold", "serve", "autodiff", "store", "cost", "warm", "spot", "generation", "cluster"})
    void helpOfBenchStatesMinutesOfEach(String bench) {
        assertThat(CommandResult.knabla("bench", bench, "--help").out())
                .containsPattern("\n +%s +\\d+ ".formatted(bench))
                .contains("--rows");
    }

    @Test
    void upPassesOnlyGivenFlags() {
        var given = new HashMap<String, String>();

        CommandResult up = CommandResult.with(
                properties -> {
                    given.putAll(properties);
                    return 0;
                },
                "up",
                "--port",
                "0",
                "--host",
                "0.0.0.0");

        assertThat(up.status()).isZero();
        assertThat(given).isEqualTo(Map.of("knabla.port", "0", "knabla.host", "0.0.0.0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "99999"})
    void upRefusesPortThatIsNone(String port) {
        CommandResult up = CommandResult.with(_ -> fail("the platform must not start"), "up", "--port=" + port);

        assertThat(up.status()).isEqualTo(2);
        assertThat(up.err()).contains("--port " + port + " is no port; allowed is 0 (a free one) to 65535");
    }

    /** Runs in a real bash, which splits words at colons; a stub of the launcher prints the names. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    list --context                 | kind-kind,arn:aws:eks:x:1:cluster/a,me@there
                    list --context k               | kind-kind
                    list --context=ki              | kind-kind
                    list --context arn:aws:e       | eks:x:1:cluster/a
                    list --context arn:            | aws:eks:x:1:cluster/a
                    list --context me@t            | there
                    list --context none            |
                    """)
    void completesContexts(String typed, String wanted) throws Exception {
        String line = "knabla " + typed + (typed.endsWith("--context") ? " " : "");
        String script = """
                knabla() { printf '%%s\\n' kind-kind arn:aws:eks:x:1:cluster/a me@there; }
                COMP_LINE=%1$s COMP_POINT=${#COMP_LINE}
                read -ra COMP_WORDS <<<"$(sed 's/[=:@]/ & /g' <<<"$COMP_LINE")"
                [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _knabla_with_names
                [ ${#COMPREPLY[@]} -eq 0 ] || printf '%%s\\n' "${COMPREPLY[@]}" | paste -sd,
                """.formatted("'" + line + "'");
        Process bash = new ProcessBuilder("bash").redirectErrorStream(true).start();
        try (var in = bash.outputWriter()) {
            in.write(CommandResult.knabla("completion", "bash").out() + script);
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo(wanted == null ? "" : wanted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void completesVerbsAndNames(String shell) {
        CommandResult completion = CommandResult.knabla("completion", shell);

        assertThat(completion.out())
                .contains("_picocli_knabla_rollback", "list -o name", "complete -F _knabla_with_names");
    }
}
