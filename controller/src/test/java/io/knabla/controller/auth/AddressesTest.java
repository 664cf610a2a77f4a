package io.knabla.controller.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:8080",
        "localhost, http://localhost:8080",
        "::1,       http://[::1]:8080",
        "[::1],     http://[::1]:8080"
    })
    void anAddressOfIpv6IsInBrackets(String host, String url) {
        assertThat(Addresses.url(host, 8080)).isEqualTo(url);
    }
}
