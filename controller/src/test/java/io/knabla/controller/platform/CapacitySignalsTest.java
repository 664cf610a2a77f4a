package io.knabla.controller.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapacitySignalsTest {
    private static final Instant END = Instant.EPOCH.plusSeconds(120);

    private final CapacitySignals signals = new CapacitySignals();
    private final List<Kind> heard = new ArrayList<>();

    private static CapacitySignal signal(Kind kind, Instant until) {
        return new CapacitySignal("n", kind, until);
    }

    @Test
    void duplicatesAndLateSignalsChangeNothing() {
        signals.onSignal(signal -> heard.add(signal.kind()));
        CapacitySignal warning = signal(Kind.INTERRUPTION_WARNING, END);

        assertThat(signals.accept(warning)).isTrue();
        assertThat(signals.accept(signal(Kind.INTERRUPTION_WARNING, END))).isFalse();
        assertThat(signals.accept(signal(Kind.INTERRUPTION_WARNING, END.plusSeconds(1))))
                .isFalse();
        assertThat(signals.accept(signal(Kind.REBALANCE_RECOMMENDED, END))).isFalse();
        assertThat(signals.of("n")).hasValue(warning);
        assertThat(signals.accept(signal(Kind.INTERRUPTION_WARNING, END.minusSeconds(1))))
                .isTrue();
        assertThat(signals.accept(signal(Kind.GONE, END))).isTrue();
        assertThat(heard).containsExactly(Kind.INTERRUPTION_WARNING, Kind.INTERRUPTION_WARNING, Kind.GONE);
    }

    @Test
    void onlyTheSignalItselfIsForgotten() {
        CapacitySignal recommended = signal(Kind.REBALANCE_RECOMMENDED, END);
        signals.accept(recommended);
        signals.accept(signal(Kind.INTERRUPTION_WARNING, END));

        assertThat(signals.forget(recommended)).isFalse();
        assertThat(signals.forget(signal(Kind.INTERRUPTION_WARNING, END))).isTrue();
        assertThat(signals.current()).isEmpty();
    }
}
