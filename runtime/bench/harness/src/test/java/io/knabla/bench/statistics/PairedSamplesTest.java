package io.knabla.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PairedSamplesTest {
    @Test
    void aMachineThatSlowsDownBetweenRoundsDoesNotMoveTheRatio() {
        var paired = new PairedSamples();
        paired.add(10, 100);
        paired.add(20, 200);
        paired.add(70, 700);

        assertThat(paired.ratios().values()).containsExactly(0.1, 0.1, 0.1);
        assertThat(paired.subject().median()).isEqualTo(20);
        assertThat(paired.reference().median()).isEqualTo(200);
    }

    @Test
    void ratioIsTheMedianOfQuotientsAndNotTheQuotientOfMedians() {
        var paired = new PairedSamples();
        paired.add(1, 10);
        paired.add(9, 10);
        paired.add(5, 100);

        assertThat(paired.ratios().median()).isEqualTo(0.1);
    }

    @Test
    void zeroAndNanAreRefused() {
        assertThatThrownBy(() -> new PairedSamples().add(1, 0)).hasMessageContaining("positive");
        assertThatThrownBy(() -> new PairedSamples().add(Double.NaN, 1)).hasMessageContaining("positive");
    }
}
