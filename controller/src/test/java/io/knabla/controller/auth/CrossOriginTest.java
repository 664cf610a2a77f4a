package io.knabla.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.config.Settings.Origin;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrossOriginTest {
    private static final CrossOrigin APP = new CrossOrigin(Set.of("https://app.example"));

    @ParameterizedTest
    @CsvSource({
        "https://app.example, true",
        "HTTPS://App.Example, true",
        "http://app.example, false",
        "https://app.example:8443, false",
        "https://app.example.evil, false",
        "https://evil.example, false",
        "null, false",
    })
    void allowsTheExactOriginAlone(String origin, boolean allowed) {
        String headers = APP.headers(Optional.of(origin));

        assertThat(APP.allows(Optional.of(origin))).isEqualTo(allowed);
        assertThat(headers)
                .contains("Vary: Origin")
                .doesNotContain("*")
                .doesNotContain("Allow-Credentials")
                .matches(text -> text.contains("Allow-Origin: https://app.example\r\n") == allowed);
    }

    @Test
    void saysNothingWhereItIsOff() {
        assertThat(CrossOrigin.NONE.headers(Optional.of("https://app.example"))).isEmpty();
        assertThat(APP.headers(Optional.empty())).isEqualTo("Vary: Origin\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:3000, http://localhost:3000",
        "https://App.Example:443, https://app.example",
        "http://app.example:80, http://app.example",
        "http://app.example:443, http://app.example:443",
        "http://[::1]:3000, http://[::1]:3000",
    })
    void readsOriginsAsBrowsersSendThem(String text, String origin) {
        assertThat(Origin.parse(text).value()).isEqualTo(origin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "null", "app.example", "https://app.example/", "https://*.example", "ftp://a", ""})
    void refusesWhatIsNoOrigin(String text) {
        assertThatThrownBy(() -> Origin.parse(text)).hasMessageContaining("https://app.example.org");
    }

    @Test
    void letsThePageComeWithItsToken() {
        var guard = new RequestGuard("127.0.0.1", Optional.of("secret"), APP);
        var page = new RequestGuard.Request(
                "POST",
                "/api/v1/functions",
                List.of("localhost:8080"),
                Optional.of("https://app.example"),
                Optional.of("cross-site"),
                Optional.of("cors"),
                Optional.empty());

        assertThat(guard.checkPage(page)).isEmpty();
        assertThat(guard.check(page)).map(RequestGuard.Refusal::status).hasValue(401);
    }
}
