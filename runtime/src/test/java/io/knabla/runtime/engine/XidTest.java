package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.engine.Xid.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XidTest {
    @ParameterizedTest
    @CsvSource({
        "13, Application",
        "31, Application",
        "43, Application",
        "45, Application",
        "94, Application",
        "48, Device",
        "79, Device",
        "95, Device",
        "62, Other",
    })
    void tellsWhatAnErrorEnds(int number, Kind kind) {
        Xid xid = Xid.of(number);

        assertThat(xid.number()).isEqualTo(number);
        assertThat(xid.kind()).isEqualTo(kind);
        assertThat(xid.meaning()).isNotBlank();
    }
}
