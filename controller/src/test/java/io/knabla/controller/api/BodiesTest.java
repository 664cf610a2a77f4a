package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks what a client is told of a body that is no JSON, or another one than is needed. */
class BodiesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ \"a\": | the body is not JSON: reading stopped at line 1, column",
                "[1, 2] | the body must be a JSON object",
                "{\"a\": 1, \"a\": 2} | the body is not JSON: reading stopped at line 1, column",
                "{} {} | the body does not fit what this path takes, which /q/openapi describes"
            })
    void saysWhereReadingStopped(String body, String sentence) {
        assertThatThrownBy(() -> Bodies.object(body)).hasMessageContaining(sentence);
    }

    @Test
    void saysThatItIsNestedTooDeeply() {
        String deep = "{\"a\": ".repeat(2000);
        assertThatThrownBy(() -> Bodies.object(deep)).hasMessageContaining("nested deeper than 1,000 levels");
    }

    @Test
    void saysWhichValueDoesNotFit() {
        assertThat(unreadable("{\"size\": []}")).endsWith("/q/openapi describes: see the value of 'size'");
        assertThat(unreadable("[]")).endsWith("/q/openapi describes");
    }

    @Test
    void nullMembersAreAbsent() {
        assertThat(Bodies.object("{\"a\": null, \"b\": [{\"c\": null, \"d\": 1}, null]}"))
                .hasToString("{\"b\":[{\"d\":1},null]}");
        assertThat(GarbageBody.parse("{\"grace\": null, \"dryRun\": null}", Duration.ofHours(1)))
                .isEqualTo(new GarbageBody(Duration.ofHours(1), false));
    }

    @Test
    void aByteOrderMarkIsSkipped() {
        assertThat(Bodies.text(new ByteArrayInputStream("\uFEFF{}".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("{}");
    }

    private static String unreadable(String body) {
        return Bodies.unreadable(catchThrowableOfType(
                MismatchedInputException.class,
                () -> new ObjectMapper().readValue(body, DirectUploadResource.Begin.class)));
    }
}
