package io.knabla.controller.knative.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class PoolReportTest {
    @Test
    void findsWhatIsCalledOftenOrCouldNotBeServed() throws IOException {
        String report = """
                {"functions": {"often": {"recent": 3, "refused": false}, "rare": {"recent": 2, "refused": false},
                               "refused": {"recent": 1, "refused": true}}}
                """;

        assertThat(PoolReport.parse(report).calledOften()).containsExactlyInAnyOrder("often", "refused");
    }

    @Test
    void reportsWhatIsNoJsonAsSuch() {
        assertThatThrownBy(() -> PoolReport.parse("<html>")).isInstanceOf(IOException.class);
    }
}
