package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a model answers under its served name and under the function's name. */
@Timeout(300)
class ServedNameTest {
    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(16 << 20, 1 << 20, 32 << 20, 3));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void answersUnderTheFunctionsNameAndTheServedName() throws Exception {
        Parsed parsed = FunctionYaml.parse("""
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: digits}
                spec: {model: digits.onnx, servedName: My_Digits}
                """);
        FunctionSpec spec = ((Parsed.Valid) parsed).resource().spec();
        Version version = new Version(1, spec, Specs.digest(1), Specs.digest(1), Instant.now());
        knabla.deploy(new FunctionRecord(Specs.id("digits"), List.of(version), List.of(), ""));

        for (String path : List.of(
                "/v2/models/My_Digits",
                "/v2/models/digits",
                "/functions/default/digits/v2/models/My_Digits",
                "/functions/default/digits/v2/models/digits")) {
            HttpResponse<String> metadata = knabla.send(HttpRequest.newBuilder(knabla.uri(path)));
            assertThat(metadata.body()).as(path).contains("\"name\":\"My_Digits\"");
        }
        assertThat(knabla.send(knabla.infer("My_Digits")).statusCode()).isEqualTo(200);
        assertThat(knabla.send(HttpRequest.newBuilder(knabla.uri("/functions/default/digits/v2/models/other")))
                        .body())
                .contains("'other' is not at the root of function default/digits; its model is called 'My_Digits'");
    }
}
