package io.knabla.controller.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorPageTest {
    @ParameterizedTest
    @EnumSource
    void explainsEachKindWhereItsTypeLeads(ErrorKind kind) {
        String anchor = kind.type().substring(kind.type().indexOf('#') + 1);

        assertThat(kind.type()).startsWith("/docs/errors#");
        assertThat(ErrorPage.html()).contains("<h2 id=\"" + anchor + "\">" + kind.title());
        assertThat(kind.cause()).endsWith(".");
        assertThat(kind.remedy()).endsWith(".");
    }

    @Test
    void everyStatusOfAnErrorHasAKind() {
        assertThat(IntStream.range(400, 600).mapToObj(ErrorKind::of)).doesNotContainNull();
    }

    @ParameterizedTest
    @CsvSource({"400, BAD_REQUEST", "401, TOKEN_NEEDED", "418, BAD_REQUEST", "500, FAILED", "504, TIMED_OUT"})
    void knowsTheKindOfAStatus(int status, ErrorKind kind) {
        assertThat(ErrorKind.of(status)).isEqualTo(kind);
    }
}
