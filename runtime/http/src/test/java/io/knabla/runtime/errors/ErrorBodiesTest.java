package io.knabla.runtime.errors;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact bytes that clients parse. */
class ErrorBodiesTest {
    @Test
    void theInferenceProtocolsHaveASentence() {
        HttpResponse refusal = InferenceError.of(404, "no \"x\"\n\u0001é");

        assertThat(refusal.status()).isEqualTo(404);
        assertThat(refusal.type()).isEqualTo("application/json");
        assertThat(refusal.body()).asString().isEqualTo("{\"error\":\"no \\\"x\\\"\\n\\u0001é\"}");
    }

    @Test
    void thePlatformAddsThePageOfTheError() {
        assertThat(InferenceError.of(503, "later", "/docs/errors/no-capacity").body())
                .asString()
                .isEqualTo("{\"error\":\"later\",\"type\":\"/docs/errors/no-capacity\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid_request_error",
        "404, invalid_request_error",
        "422, invalid_request_error",
        "429, rate_limit_error",
        "500, server_error",
        "503, server_error"
    })
    void openAiHasATypeByStatus(int status, String type) {
        assertThat(new OpenAiError(status, "why", Optional.empty(), Optional.empty())
                        .response()
                        .body())
                .asString()
                .isEqualTo("{\"error\":{\"message\":\"why\",\"type\":\"%s\",\"param\":null,\"code\":null}}"
                        .formatted(type));
    }

    @Test
    void openAiNamesAFieldAndACode() {
        assertThat(new OpenAiError(404, "no 'a'", Optional.of("model"), Optional.of("model_not_found")).json())
                .asString()
                .isEqualTo(
                        "{\"error\":{\"message\":\"no 'a'\",\"type\":\"invalid_request_error\",\"param\":\"model\",\"code\":\"model_not_found\"}}");
    }
}
