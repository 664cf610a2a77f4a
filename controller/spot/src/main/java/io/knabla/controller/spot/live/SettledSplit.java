package io.knabla.controller.spot.live;

import java.time.Duration;
import java.time.Instant;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Delays changes of a {@link CapacitySplit} until they were wanted for a whole period, so that a pod that starts, or a
 * short rise of the load, moves no replica and no request.
 */
final class SettledSplit {
    private final RecentSamples<CapacitySplit> samples;
    private Optional<CapacitySplit> settled = Optional.empty();

    SettledSplit(Duration period) {
        samples = new RecentSamples<>(period);
    }

    /** Returns the split to act on; empty until the first period has passed. */
    Optional<CapacitySplit> next(CapacitySplit wanted, Instant now) {
        samples.add(wanted, now);
        if (samples.spanPeriod()) {
            settled = Optional.of(new CapacitySplit(
                    settle(CapacitySplit::target), settle(CapacitySplit::spot), settle(CapacitySplit::onDemand)));
        }
        return settled;
    }

    private int settle(ToIntFunction<CapacitySplit> count) {
        IntSummaryStatistics wanted = samples.values().mapToInt(count).summaryStatistics();
        return Math.clamp(settled.map(count::applyAsInt).orElse(wanted.getMin()), wanted.getMin(), wanted.getMax());
    }
}
