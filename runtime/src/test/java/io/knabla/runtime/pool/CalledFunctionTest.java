package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalledFunctionTest {
    @ParameterizedTest
    @CsvSource({
        "digits.team.example.com, digits",
        "digits.team.127.0.0.1.sslip.io:18080, digits",
        "DIGITS.Team.example.com, digits",
        "digits.team.svc.cluster.local, digits",
        "digits.team, digits",
        "digits.other.example.com, ''",
        "digits, ''",
        "10.244.0.7:8080, ''",
        "../x.team.example.com, ''",
        "-x.team.example.com, ''",
        ", ''"
    })
    void findsTheFunctionOfItsOwnNamespaceOnly(String host, String function) {
        assertThat(CalledFunction.of(host, "team"))
                .isEqualTo(Optional.of(function).filter(name -> !name.isEmpty()));
    }

    @ParameterizedTest
    @CsvSource({"10.244.0.7:8080", "10.244.0.7"})
    void takesAnAddressForNoFunctionEvenInANamespaceOfDigits(String host) {
        assertThat(CalledFunction.of(host, "244")).isEmpty();
    }
}
