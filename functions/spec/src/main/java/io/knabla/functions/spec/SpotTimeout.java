package io.knabla.functions.spec;

import io.knabla.functions.spec.FunctionSpec.Capacity;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a function's requests can end within the notice of a spot interruption. With a longer timeout,
 * {@code Mixed} runs on demand, and {@code Spot} may lose requests. A function that writes to the store is not
 * concerned: it resumes at its last durable state.
 */
public final class SpotTimeout {
    /** A node stops two minutes after its notice, and for 30 s of them it may still get requests. */
    public static final Duration LONGEST = Duration.ofSeconds(120 - 30);

    private SpotTimeout() {}

    public static boolean fits(FunctionSpec spec) {
        return spec.writesToStore() || spec.timeout().compareTo(LONGEST) <= 0;
    }

    /** What a user should know before a deploy; empty for a timeout that fits. */
    public static Optional<String> warning(FunctionSpec spec) {
        Capacity capacity = spec.placement().capacity();
        if (capacity == Capacity.OnDemand || fits(spec)) {
            return Optional.empty();
        }
        String timeout = "spec.timeout is %s, but a spot node's notice leaves %s for requests: "
                .formatted(Durations.format(spec.timeout()), Durations.format(LONGEST));
        return Optional.of(timeout
                + switch (capacity) {
                    case OnDemand, Mixed ->
                        "all replicas run on demand; shorten the timeout, or choose placement.capacity Spot";
                    case Spot -> "longer ones may be lost; shorten the timeout, or choose placement.capacity Mixed";
                });
    }
}
