package io.knabla.runtime.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndToEndHeadersTest {
    private static List<String> passed(String... fields) {
        var lines = new StringBuilder();
        EndToEndHeaders.append(HttpHeaders.of(fields), "Secret"::equalsIgnoreCase, lines);
        return lines.toString().lines().toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TE",
                "Expect",
                "Upgrade",
                "Trailer",
                "Connection",
                "Keep-Alive",
                "Content-Length",
                "HTTP2-Settings",
                "Proxy-Connection",
                "Transfer-Encoding",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "Secret"
            })
    void dropsHopByHopHeaders(String name) {
        for (String written : List.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT))) {
            assertThat(passed(written, "x")).isEmpty();
        }
        // Another of the same length goes on.
        String other = "y".repeat(name.length());
        assertThat(passed(other, "1")).containsExactly(other + ": 1");
    }

    @Test
    void passesEveryValueOfAHeader() {
        assertThat(passed("Accept", "a", "Accept", "b")).containsExactly("Accept: a", "Accept: b");
    }

    @Test
    void dropsHeadersNamedByConnection() {
        assertThat(passed("Connection", "close, x-mine ,X-Other", "X-Mine", "1", "x-other", "2", "X-Min", "3"))
                .containsExactly("X-Min: 3");
    }
}
