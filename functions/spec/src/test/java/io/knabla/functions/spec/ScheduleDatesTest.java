package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleDatesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 8 30 2 *          | true
            0 8 31 4,6,9,11 *   | true
            0 8 30-31 FEB *     | true
            0 8 31 2-3 *        | false
            0 8 29 2 *          | false
            59 23 31 12 *       | false
            0 8 29 2 1          | false
            0 8 30 2 1          | false
            */5 * * * 1-5       | false
            0 8 * * 7           | false
            """)
    void tellsOfADateThatNoYearHas(String cron, boolean never) {
        assertThat(ScheduleDates.warning("cron", cron).isPresent()).isEqualTo(never);
    }
}
