package io.knabla.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.DisturbancePolicy.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisturbancePolicyTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # situation                     | foreign | repeats | verdict
            an idle machine                 | 0.0     | 0       | QUIET
            just at the limit               | 0.15    | 0       | QUIET
            someone else at work            | 0.16    | 0       | REPEAT
            still at work                   | 0.5     | 2       | REPEAT
            a machine that never rests      | 0.5     | 9       | TAKEN_ANYWAY
            quiet after repeats             | 0.1     | 9       | QUIET
            """)
    void judges(String situation, double foreign, int repeats, Verdict verdict) {
        assertThat(DisturbancePolicy.DEFAULT.judge(foreign, repeats)).isEqualTo(verdict);
    }
}
