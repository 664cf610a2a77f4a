package io.knabla.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 127, 128, 1_000_000, 123_456_789, Long.MAX_VALUE})
    void singleDurationIsEveryQuantile(long nanos) {
        var histogram = new LatencyHistogram();
        histogram.record(nanos);

        assertThat(histogram.millis(0.01)).isEqualTo(histogram.millis(1.0));
        assertThat(histogram.millis(0.5) * 1e6)
                .isGreaterThanOrEqualTo(nanos * 0.999999)
                .isLessThanOrEqualTo(nanos * (1 + 1.0 / 64) + 1);
    }

    @Test
    void quantilesAgreeWithSortingEverything() {
        var random = new Random(7);
        var histogram = new LatencyHistogram();
        double[] all = new double[10_000];
        for (int i = 0; i < all.length; i++) {
            long nanos = (long) Math.exp(8 + 8 * random.nextDouble());
            histogram.record(nanos);
            all[i] = nanos / 1e6;
        }
        Arrays.sort(all);

        for (double share : new double[] {0.1, 0.5, 0.9, 0.99, 1.0}) {
            double exact = all[(int) Math.ceil(share * all.length) - 1];
            assertThat(histogram.millis(share)).isCloseTo(exact, within(exact / 60));
        }
    }

    @Test
    void addsHistograms() {
        var one = new LatencyHistogram();
        one.record(10);
        var other = new LatencyHistogram();
        other.record(20);
        one.add(other);

        assertThat(one.total()).isEqualTo(2);
        assertThat(one.millis(1.0)).isEqualTo(20e-6);
    }

    @Test
    void emptyHasNoQuantile() {
        assertThatThrownBy(() -> new LatencyHistogram().millis(0.5)).hasMessageContaining("no duration recorded");
    }
}
