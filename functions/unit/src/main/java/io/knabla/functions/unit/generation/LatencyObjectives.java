package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * Times that the texts of a function should keep; each above zero.
 *
 * @param timeToFirstToken from a request's arrival to its first token
 * @param timePerOutputToken mean time between the tokens of a text
 */
public record LatencyObjectives(Optional<Duration> timeToFirstToken, Optional<Duration> timePerOutputToken) {
    /** Objectives of a function that has none. */
    public static final LatencyObjectives NONE = new LatencyObjectives(Optional.empty(), Optional.empty());

    public LatencyObjectives {
        check("timeToFirstToken", timeToFirstToken);
        check("timePerOutputToken", timePerOutputToken);
    }

    private static void check(String name, Optional<Duration> time) {
        Checks.that(
                time.isEmpty() || time.get().isPositive(),
                "objectives.%sMillis is %s, must be 1 or more",
                name,
                time.map(Duration::toMillis).orElse(0L));
    }
}
