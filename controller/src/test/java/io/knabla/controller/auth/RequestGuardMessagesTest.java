package io.knabla.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of refused requests, and all spellings of addresses. */
class RequestGuardMessagesTest {
    private static String said(RequestGuard doors, String host, String origin, String site, String token) {
        return doors.check(new RequestGuard.Request(
                        "HEAD",
                        "/api",
                        List.of(host),
                        Optional.ofNullable(origin),
                        Optional.ofNullable(site),
                        Optional.of("navigate").filter(mode -> site != null),
                        Optional.ofNullable(token)))
                .map(refusal -> refusal.status() + " " + refusal.sentence())
                .orElse("in");
    }

    private static final RequestGuard LOCAL = new RequestGuard("127.0.0.1", Optional.empty());
    private static final RequestGuard SECRET = new RequestGuard("0.0.0.0", Optional.of("secret"));

    @Test
    void namesTheRemedyInEveryRefusal() {
        assertThat(said(LOCAL, "evil.example:80", null, null, null))
                .isEqualTo(
                        "403 this server is not 'evil.example'; call it by localhost, 127.0.0.1 or the --host it was started with");
        assertThat(said(LOCAL, "localhost", "http://evil", null, null))
                .startsWith("403 a page of 'http://evil' may not call this server");
        assertThat(said(SECRET, "any.example", null, null, null)).startsWith("401 a token is needed: set KNABLA_TOKEN");
        assertThat(said(SECRET, "any.example", null, null, "Bearer no")).startsWith("401 the token is wrong");
        assertThat(said(SECRET, "any.example", null, null, "BEARER \t secret ")).isEqualTo("in");
    }

    @Test
    void acceptsOwnOriginWithBothSchemesInAnyCase() {
        assertThat(said(LOCAL, "LocalHost:1", "https://localhost:1", null, null))
                .isEqualTo("in");
        assertThat(said(LOCAL, "localhost:1", "HTTP://LOCALHOST:1", null, null)).isEqualTo("in");
        assertThat(said(LOCAL, "localhost:1", "ftp://localhost:1", null, null)).startsWith("403");
        assertThat(said(LOCAL, "localhost:1", null, "cross-site", null)).isEqualTo("in");
    }

    @Test
    void treatsABlankTokenAsNone() {
        assertThat(said(new RequestGuard("::", Optional.of(" ")), "any.example", null, null, null))
                .startsWith("403");
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, true", "::, true", "[::], true", "0:0:0:0:0:0:0:0, true", "10.0.0.1, false", "::1, false"})
    void everywhere(String host, boolean everywhere) {
        assertThat(Addresses.isEverywhere(host)).isEqualTo(everywhere);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, true", "localhost., true", "a.localhost, true", "0:0:0:0:0:0:0:1, true",
        "127.255.0.1, true", "127.0.0, false", "128.0.0.1, false", "1270.0.0.1, false",
        "alocalhost, false", "[::1, false", "::1], false", "'', false"
    })
    void loopback(String host, boolean loopback) {
        assertThat(Addresses.isLoopback(host)).isEqualTo(loopback);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "a|a",
                "a:1|a",
                "a:65535|a",
                "a:|-",
                "a:123456|-",
                "a:b|-",
                "[::1]:1|[::1]",
                "[::1]|[::1]",
                "[::1]x|-",
                "[::1|-",
                ":1|-",
                "''|-"
            })
    void hosts(String authority, String host) {
        assertThat(Addresses.hostOf(authority)).isEqualTo(Optional.ofNullable(host));
    }
}
