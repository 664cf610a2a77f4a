package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpHeadersTest {
    @Test
    void tokensAreFoundInEachHeaderOfTheName() {
        HttpHeaders headers = HttpHeaders.of("Connection", "keep-alive, X-Hop", "connection", "Close");
        assertThat(headers.lists("Connection", "x-hop")).isTrue();
        assertThat(headers.lists("Connection", "close")).isTrue();
        assertThat(headers.lists("Connection", "hop")).isFalse();
        assertThat(headers.lists("X-Connection", "close")).isFalse();
    }

    @Test
    void onlyTheHeaderItselfSaysThatTheConnectionEnds() {
        assertThat(HttpOutput.closes("A: b\r\nConnection: close\r\n")).isTrue();
        assertThat(HttpOutput.closes("Connection: close\r\n")).isTrue();
        assertThat(HttpOutput.closes("X-Connection: close\r\n")).isFalse();
        assertThat(HttpOutput.closes("X: Connection: close\r\n")).isFalse();
    }
}
