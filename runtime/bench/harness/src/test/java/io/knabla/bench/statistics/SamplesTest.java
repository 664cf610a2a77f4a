package io.knabla.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void middleOfAnOddNumber() {
        assertThat(Samples.of(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
    }

    @Test
    void meanOfTheTwoInTheMiddleOfAnEvenNumber() {
        assertThat(Samples.of(List.of(9.0, 1.0, 5.0, 6.0)).median()).isEqualTo(5.5);
    }

    @Test
    void extremes() {
        Samples samples = Samples.of(List.of(9.0, 1.0, 5.0));

        assertThat(samples.min()).isEqualTo(1);
        assertThat(samples.max()).isEqualTo(9);
    }

    @Test
    void nothingMeasuredIsRefused() {
        assertThatThrownBy(() -> Samples.of(List.of())).hasMessageContaining("no measurement");
    }
}
