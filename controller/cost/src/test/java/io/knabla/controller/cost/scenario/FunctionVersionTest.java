package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionVersionTest {
    @Test
    void readsWhatItWrites() {
        FunctionVersion version = new FunctionVersion("shop", "re@size/2", 12);

        assertThat(FunctionVersion.parse(version.toString())).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(idle)", "shop/resize", "resize@1", "shop/resize@", "shop/resize@9999999999"})
    void refusesOtherTexts(String text) {
        assertThatThrownBy(() -> FunctionVersion.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
