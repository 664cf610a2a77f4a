package io.knabla.storage.s3.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests part sizes and counts at the limits of S3. */
class PartPlanTest {
    private static final long TERA = 1L << 40;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                          | size            | wanted   | part      | parts | last
            one byte is one part                | 1               | 8388608  | 8388608   | 1     | 1
            a whole part                        | 8388608         | 8388608  | 8388608   | 1     | 8388608
            a byte more                         | 8388609         | 8388608  | 8388608   | 2     | 1
            S3 takes no part below 5 MiB        | 10485761        | 1048576  | 5242880   | 3     | 1
            as many parts as S3 takes           | 83886080000     | 8388608  | 8388608   | 10000 | 8388608
            one byte more makes all parts grow  | 83886080001     | 8388608  | 9437184   | 8889  | 8388609
            """)
    void dividesIntoParts(String scenario, long size, long wanted, long part, int parts, long last) {
        PartPlan plan = PartPlan.of(size, wanted);

        assertThat(plan.partSize()).isEqualTo(part);
        assertThat(plan.parts()).isEqualTo(parts);
        assertThat(plan.length(parts)).isEqualTo(last);
        assertThat(plan.offset(parts) + last).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * TERA, 48 * TERA})
    void keepsTheLargestObjectsWithinTheLimits(long size) {
        PartPlan plan = PartPlan.of(size, PartSettings.DEFAULT.partSize());

        assertThat(plan.parts()).isBetween(9_900, PartPlan.MAX_PARTS);
        assertThat(plan.partSize()).isLessThanOrEqualTo(PartPlan.MAX_PART);
    }

    @Test
    void rejectsSizesOutsideTheLimits() {
        for (long size : new long[] {0, -1, PartPlan.MAX_PARTS * PartPlan.MAX_PART + 1}) {
            assertThatThrownBy(() -> PartPlan.of(size, PartPlan.MIN_PART))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Long.toString(size));
        }
    }
}
