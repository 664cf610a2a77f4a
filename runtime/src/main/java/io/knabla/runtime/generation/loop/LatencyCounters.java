package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.runtime.generation.TextLatencies;
import io.knabla.runtime.generation.TextLatencies.ObjectiveCounts;
import java.time.Duration;
import java.util.Optional;

/** Measures texts as they are generated, and compares them with the objectives. Thread-safe. */
final class LatencyCounters {
    private final LatencyObjectives objectives;
    private final LatencyHistogram queue = new LatencyHistogram();
    private final LatencyHistogram firstToken = new LatencyHistogram();
    private final LatencyHistogram interToken = new LatencyHistogram();
    private final LatencyHistogram perOutputToken = new LatencyHistogram();
    private long met;
    private long missedFirstToken;
    private long missedPerOutputToken;

    LatencyCounters(LatencyObjectives objectives) {
        this.objectives = objectives;
    }

    /** A text is begun so many nanoseconds after its request arrived. */
    synchronized void begun(long nanos) {
        queue.add(nanos);
    }

    /** A token was chosen for a text, whose times know of it already. */
    synchronized void chosen(TextTimes times) {
        if (times.tokens() > 1) {
            interToken.add(times.sinceLastNanos());
            return;
        }
        firstToken.add(times.firstTokenNanos());
        missedFirstToken += exceeds(times.firstTokenNanos(), objectives.timeToFirstToken()) ? 1 : 0;
    }

    /** A text is complete, of one token or more. */
    synchronized void completed(TextTimes times) {
        boolean slow = false;
        if (times.tokens() > 1) {
            perOutputToken.add(times.perOutputTokenNanos());
            slow = exceeds(times.perOutputTokenNanos(), objectives.timePerOutputToken());
        }
        missedPerOutputToken += slow ? 1 : 0;
        met += !slow && !exceeds(times.firstTokenNanos(), objectives.timeToFirstToken()) ? 1 : 0;
    }

    /** A request waited too long, so that its text was never begun. */
    synchronized void neverBegun() {
        missedFirstToken += objectives.timeToFirstToken().isPresent() ? 1 : 0;
    }

    private static boolean exceeds(long nanos, Optional<Duration> objective) {
        return objective.filter(most -> nanos > most.toNanos()).isPresent();
    }

    synchronized TextLatencies latencies() {
        return new TextLatencies(
                queue.counts(),
                firstToken.counts(),
                interToken.counts(),
                perOutputToken.counts(),
                new ObjectiveCounts(met, missedFirstToken, missedPerOutputToken));
    }
}
