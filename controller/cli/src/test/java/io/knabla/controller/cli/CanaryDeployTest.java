package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.FakePlatform.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code deploy --no-traffic} and {@code --traffic}. */
class CanaryDeployTest {
    private static final String POST = "POST /api/v1/functions";
    private static final String GET = "GET /api/v1/functions/default/toy";
    private static final String DEPLOYED = """
            {"name": "toy", "namespace": "default", "version": 2, "unit": "sha256:00",
             "url": "http://toy.default.localhost:8080/", "result": "deployed", "warnings": []}
            """;
    private static final String BEFORE = """
            {"readyVersion": 1, "traffic": [{"version": 1, "percent": 100, "latest": true}], "conditions": []}
            """;
    private static final String AFTER = """
            {"readyVersion": 2, "conditions": [], "traffic": [{"version": 1, "percent": 100},
              {"version": 2, "percent": 0, "latest": true, "tag": "canary", "url": "http://platform/functions/default/canary-toy"}]}
            """;

    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void stop() {
        platform.close();
    }

    private CommandResult deploy(String... more) {
        List<String> args = new ArrayList<>(
                List.of("deploy", "toy", "--model", "s3://models/toy.onnx", "--server", platform.url()));
        args.addAll(Arrays.asList(more));
        return CommandResult.knabla(args.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --no-traffic              | 1=100 latest=0@canary
            --traffic 10              | 1=90 latest=10@canary
            --traffic 100 --tag next  | latest=100@next
            """)
    void theNewVersionGetsItsShareAlone(String arguments, String split) {
        platform.on(GET, Reply.ok(BEFORE), Reply.ok(AFTER)).on(POST, Reply.status(201, DEPLOYED));

        CommandResult deploy = deploy(arguments.split(" "));

        assertThat(deploy.status()).isZero();
        assertThat(PresentTrafficText.of(platform.asked(POST).text())).isEqualTo(split);
        assertThat(deploy.lastLine()).isEqualTo("http://toy.default.localhost:8080/");
    }

    @Test
    void tellsWhereTheNewVersionIsCalledAndHowToSendItTheRequests() {
        platform.on(GET, Reply.ok(BEFORE), Reply.ok(AFTER)).on(POST, Reply.status(201, DEPLOYED));

        assertThat(deploy("--no-traffic").out())
                .contains(
                        "version 2 gets 0 % of the requests, and those to http://platform/functions/default/canary-toy",
                        "./knabla traffic toy 2=100 -n default");
    }

    @Test
    void aFirstVersionHasNobodyToLeaveTheRequestsTo() {
        platform.on(GET, Reply.status(404, "{\"title\": \"Not Found\", \"detail\": \"no function toy\"}"));

        CommandResult deploy = deploy("--no-traffic");

        assertThat(deploy.status()).isEqualTo(1);
        assertThat(deploy.err()).contains("there is no function default/toy yet");
        assertThat(platform.lines()).doesNotContain(POST);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --no-traffic --traffic 10 | exclude each other
            --traffic 101             | write a percentage from 0 to 100
            --tag next                | --tag needs
            """)
    void wrongUseIsToldBeforeAnythingIsSent(String arguments, String sentence) {
        CommandResult deploy = deploy(arguments.split(" "));

        assertThat(deploy.status()).isEqualTo(2);
        assertThat(deploy.err()).contains(sentence);
        assertThat(platform.lines()).isEmpty();
    }
}
