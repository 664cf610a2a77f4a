package io.knabla.controller.operator;

import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.manifest.Terrain;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.operator.Steering.Steered;
import io.knabla.controller.operator.Versions.Made;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** One look at a Function: its version made, its objects asked for, its status said. */
final class Pass {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Duration.ofSeconds(10);

    /** What was declined depends on what nobody here watches, such as a quota or a webhook. */
    private static final Duration DECLINED = Duration.ofSeconds(30);

    private final Versions versions;
    private final Steering steering;
    private final Reporter reporter;
    private final Supplier<Optional<Terrain>> ground;
    private final Clock clock;

    Pass(
            Versions versions,
            Steering steering,
            Reporter reporter,
            Supplier<Optional<Terrain>> ground,
            Clock clock) {
        this.versions = versions;
        this.steering = steering;
        this.reporter = reporter;
        this.ground = ground;
        this.clock = clock;
    }

    /**
     * @param ended called when a packaging that this started is over
     * @return after which time the same world may give another answer
     */
    Optional<Duration> over(FunctionObject function, Seen seen, Runnable ended) {
        Optional<Terrain> terrain = ground.get();
        if (terrain.isEmpty()) {
            return Optional.of(SOON);
        }
        Made made = versions.of(function, seen, ended);
        Steered steered = Steered.NOT;
        try {
            if (made.record().isPresent()) {
                steered = steering.step(function, made.record().get(), seen, terrain.get());
            }
        } catch (StorageException outage) {
            made = new Made(new Packaging.Failed(outage), Optional.empty(), made.again());
        }
        reporter.report(function, made, steered, seen);
        return again(made, steered);
    }

    private Optional<Duration> again(Made made, Steered steered) {
        Optional<Duration> tried = made.again().map(this::until);
        if (tried.isPresent()) {
            return tried;
        }
        if (made.packaging() instanceof Packaging.Failed) {
            return Optional.of(OUTAGE);
        }
        return steered.refused() ? Optional.of(DECLINED) : Optional.empty();
    }

    private Duration until(Instant then) {
        Duration wait = Duration.between(clock.instant(), then);
        return wait.compareTo(SOON) < 0 ? SOON : wait;
    }
}
