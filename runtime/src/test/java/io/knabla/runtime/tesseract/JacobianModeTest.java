package io.knabla.runtime.tesseract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.Sha256;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JacobianModeTest {
    private static Capabilities offer(String entries) {
        return new Capabilities(
                List.of(),
                List.of(),
                Optional.empty(),
                entry(entries, "vjp"),
                entry(entries, "jvp"),
                Optional.empty(),
                Optional.empty());
    }

    private static Optional<EntryPoint> entry(String entries, String name) {
        return Optional.of(name)
                .filter(entries::contains)
                .map(one -> new EntryPoint(
                        one, new io.knabla.functions.unit.Blob(Sha256.of(new byte[0]), 0), List.of(), List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "vjp jvp, 1, 1000, ROWS",
        "vjp jvp, 1000, 1, COLUMNS",
        "vjp jvp, 7, 7, ROWS",
        "vjp, 1000, 1, ROWS",
        "jvp, 1, 1000, COLUMNS",
        "vjp jvp, 4096, 4096, ROWS",
    })
    void takesFewerRuns(String entries, long rows, long columns, Jacobian.Mode way) {
        assertThat(Jacobian.chooseMode(offer(entries), rows, columns)).isEqualTo(way);
    }

    @ParameterizedTest
    @CsvSource({
        "vjp jvp, 4097, 4097, takes 4097 runs; at most 4096",
        "vjp, 4097, 1, takes 4097 runs; at most 4096",
        "vjp jvp, 4096, 4097, at most 16777216 elements",
    })
    void rejectsTooLargeJacobians(String entries, long rows, long columns, String why) {
        assertThatThrownBy(() -> Jacobian.chooseMode(offer(entries), rows, columns))
                .isInstanceOf(RequestException.class)
                .hasMessageContaining(why);
    }
}
