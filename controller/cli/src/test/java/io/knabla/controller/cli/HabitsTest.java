package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what users of kubectl expect of the command line. */
class HabitsTest {
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
    void aServerThatIsNotKnablaIsNamed() {
        platform.on(
                "GET /api/v1/functions",
                Reply.status(404, "<html>nginx</html>"),
                Reply.ok("<html>hello</html>"),
                Reply.status(501, "<html>no</html>"));

        for (int status : new int[] {404, 200, 501}) {
            CommandResult list = run("list");
            assertThat(list.status()).isEqualTo(1);
            assertThat(list.err())
                    .contains(platform.url() + " answers, but not as Knabla does (GET /functions: " + status + ")")
                    .contains("--server URL");
        }
    }

    @Test
    void thePageOfAProxyIsNotPrinted() {
        platform.on("GET /api/v1/functions", Reply.status(502, "<!DOCTYPE HTML>\n<html>"));

        assertThat(run("list").err()).contains("an HTML page came").doesNotContain("DOCTYPE");
    }

    @Test
    void aPortThatIsNoneIsNoAddress() {
        CommandResult list = CommandResult.knabla("list", "--server", "http://127.0.0.1:99999");

        assertThat(list.status()).isEqualTo(2);
        assertThat(list.err()).contains("'http://127.0.0.1:99999' is no address. Write --server http://HOST:PORT.");
    }

    @Test
    void eachFaultIsToldOnce() {
        platform.on("GET /api/v1/functions/default/digits", Reply.status(400, """
                        {"detail": "2 things are wrong, the first is: a: is b", "faults": [
                            {"path": "a", "message": "is b"}, {"path": "", "message": "no c"}]}"""));

        assertThat(run("describe", "digits").err()).contains("2 things are wrong:\n  a: is b\n  no c");
    }

    @Test
    void trafficShowsItsForm() {
        CommandResult traffic = run("traffic", "digits", "abc", "1=50", "2=");

        assertThat(traffic.status()).isEqualTo(2);
        assertThat(traffic.err()).contains("found 'abc' and '2='; write VERSION=PERCENT", "traffic digits 1=90 2=10");
    }

    @Test
    void explainsKeys() {
        assertThat(CommandResult.knabla("explain", "spec.gradient.optimizer").out())
                .startsWith("spec.gradient.optimizer <object>")
                .contains("How a TrainingStep changes the weights.", "learningRate <number>", "The step size.");
        assertThat(CommandResult.knabla("explain", "function.spec.keepWarm.schedule")
                        .out())
                .contains("cron <string>");
        assertThat(CommandResult.knabla("explain", "config.spot.nodeReturn").out())
                .contains("config.spot.nodeReturn <duration>", "Default: 190s. Variable: KNABLA_SPOT_NODE_RETURN.");
        assertThat(CommandResult.knabla("explain", "config.nodes", "-o", "name").out())
                .contains("instanceType\n");
        assertThat(CommandResult.knabla("explain", "config.gc.evry").err())
                .contains("has no key 'evry'; it has automatic, every, grace");
        assertThat(CommandResult.knabla("explain", "-o", "name").out()).contains("model\n", "scaling\n");

        CommandResult wrong = CommandResult.knabla("explain", "spec.scaling.maxx");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("spec.scaling has no key 'maxx'; it has min, max", "did you mean max?");
    }

    @Test
    void versionIsAVerb() {
        assertThat(run("version").out()).isEqualTo(run("--version").out()).contains("knabla", "Java");
    }

    @Test
    void completesInFish() {
        assertThat(run("completion", "fish").out())
                .contains("complete -c knabla -n __fish_use_subcommand -a deploy -d 'Deploys a function from")
                .contains("complete -c knabla -n '__fish_seen_subcommand_from deploy' -s f -l file -r -F")
                .contains("list -o name");
    }

    @Test
    void describeShowsWarnings() {
        platform.on("GET /api/v1/replicas", Reply.ok("{\"items\": []}"));
        platform.on(
                "GET " + "/api/v1/functions/default/digits",
                Reply.ok("{\"name\": \"digits\", \"warnings\": [\"parameters were merged\"]}"));

        assertThat(run("describe", "digits").out()).containsPattern("Warning: +parameters were merged");
    }

    @ParameterizedTest
    @CsvSource({
        "TOO_FEW_OBSERVATIONS, too little is known of its pauses",
        "SCHEDULE, its schedule says so",
        "OF_A_NEWER_PLATFORM, OF_A_NEWER_PLATFORM"
    })
    void describeSaysWhyReplicasAreKept(String reason, String sentence) {
        platform.on("GET /api/v1/replicas", Reply.ok("{\"items\": []}"));
        platform.on(
                "GET /api/v1/functions/default/digits",
                Reply.ok("{\"name\": \"digits\", \"keepWarm\": {\"keep\": 0, \"reason\": \"%s\"}}".formatted(reason)));

        assertThat(run("describe", "digits").out()).contains("0 (" + sentence + ")");
    }
}
