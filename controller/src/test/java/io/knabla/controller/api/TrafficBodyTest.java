package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of values in the body of a traffic split. */
class TrafficBodyTest {
    @Test
    void latestIsTrueOrFalse() {
        assertThat(TrafficBody.split("{\"traffic\": [{\"latest\": true, \"percent\": 100}]}"))
                .singleElement()
                .satisfies(target -> assertThat(target.latest()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "\"true\"", "[true]"})
    void anotherKindThanTrueOrFalseIsRefused(String latest) {
        String body = "{\"traffic\": [{\"version\": 1, \"latest\": %s, \"percent\": 100}]}".formatted(latest);
        assertThatThrownBy(() -> TrafficBody.split(body))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("latest")
                .hasMessageContaining("must be true or false, was " + latest);
    }
}
