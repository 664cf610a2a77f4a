package io.knabla.controller.spot.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SettledSplitTest {
    private static final int PERIOD = (int) FleetTiming.CLUSTER.settling().toSeconds();

    private final SettledSplit settled = new SettledSplit(FleetTiming.CLUSTER.settling());

    private Optional<CapacitySplit> at(int second, int spot, int onDemand) {
        return settled.next(new CapacitySplit(4, spot, onDemand), Instant.EPOCH.plusSeconds(second));
    }

    @Test
    void nothingIsSettledBeforeOnePeriod() {
        assertThat(at(0, 4, 0)).isEmpty();
        assertThat(at(PERIOD - 1, 4, 0)).isEmpty();
        assertThat(at(PERIOD, 4, 1)).contains(new CapacitySplit(4, 4, 0));
    }

    @Test
    void followsWhatWasWantedForOnePeriod() {
        at(0, 4, 0);
        assertThat(at(PERIOD, 4, 3)).contains(new CapacitySplit(4, 4, 0));
        assertThat(at(PERIOD + 5, 4, 2)).contains(new CapacitySplit(4, 4, 0));
        assertThat(at(2 * PERIOD, 4, 3)).as("at least two").contains(new CapacitySplit(4, 4, 2));
        assertThat(at(2 * PERIOD + 5, 4, 0)).contains(new CapacitySplit(4, 4, 2));
        assertThat(at(3 * PERIOD + 5, 4, 0)).contains(new CapacitySplit(4, 4, 0));
    }

    /** A sample every 2 s, as the controller takes them. */
    @Property
    void changesAtMostOnceInAPeriodWhereTwoWishesAlternate(@ForAll List<@IntRange(max = 1) Integer> wishes) {
        var split = new SettledSplit(FleetTiming.CLUSTER.settling());
        int changes = 0;
        Optional<CapacitySplit> before = Optional.empty();
        for (int i = 0; i < wishes.size(); i++) {
            Optional<CapacitySplit> now =
                    split.next(new CapacitySplit(1, 1, wishes.get(i)), Instant.EPOCH.plusSeconds(2L * i));
            changes += before.isPresent() && !now.equals(before) ? 1 : 0;
            before = now;
        }
        assertThat(changes).isLessThanOrEqualTo(2 * wishes.size() / PERIOD);
    }
}
