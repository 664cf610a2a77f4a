package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests timing merges and traffic splits. */
class TimingAndSplitTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "0.99|queue;dur=0.1|queue;dur=0.1",
                "1|-|queue;dur=1.0",
                "1|queue;dur=2;desc=x|queue;dur=3.0",
                "1|queue|queue;dur=1.0",
                "1|queue;dur=|queue;dur=1.0",
                "1|dur=5|queue;dur=1.0, dur=5",
                "1|infer;dur=5, queue;dur=4 , , load|queue;dur=5.0, infer;dur=5, load"
            })
    void mergesTimings(double waited, String replicas, String merged) {
        assertThat(ServerTiming.merge(waited, Map.of(), replicas)).isEqualTo(merged);
    }

    @Test
    void startPhasesAreNotQueueTime() {
        assertThat(ServerTiming.merge(0, Map.of("boot", 3.0), null)).isEqualTo("queue;dur=0.0, boot;dur=3.0");
        assertThat(ServerTiming.merge(10, Map.of("load", 3.0, "place", 1.0, "strange", 2.0), null))
                .isEqualTo("queue;dur=6.0, place;dur=1.0, load;dur=3.0");
    }

    @Test
    void sharesAddUpAndZeroGetsNothing() {
        TrafficSplit split = new TrafficSplit(Map.of(3, 10, 1, 60, 2, 0));
        assertThat(split.total()).isEqualTo(70);
        assertThat(split.single()).isFalse();
        assertThat(split.choose(0)).isEqualTo(1);
        assertThat(split.choose(59)).isEqualTo(1);
        assertThat(split.choose(60)).isEqualTo(3);
        assertThat(split.choose(69)).isEqualTo(3);
        assertThat(new TrafficSplit(Map.of(5, 1, 6, 0)).single()).isTrue();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new TrafficSplit(Map.of(1, 0, 2, -5)))
                .hasMessageContaining("no version has any traffic");
    }
}
