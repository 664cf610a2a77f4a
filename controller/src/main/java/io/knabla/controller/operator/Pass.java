package io.knabla.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
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

/** Reconciles one Function: packages its version, applies its objects, writes its status. */
final class Pass {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** How long the first lists of the watches may take before the status reports them missing. */
    static final Duration HEARING = Duration.ofMinutes(1);

    private static final Duration OUTAGE = Duration.ofSeconds(10);

    /** For declined objects: the cause, such as a quota or a webhook, is not watched. */
    private static final Duration UNFINISHED = Duration.ofSeconds(30);

    private final Versions versions;
    private final Steering steering;
    private final Reporter reporter;
    private final Ground ground;
    private final Clock clock;
    private final Instant opened;

    Pass(Versions versions, Steering steering, Reporter reporter, Ground ground, Clock clock) {
        this.versions = versions;
        this.steering = steering;
        this.reporter = reporter;
        this.ground = ground;
        this.clock = clock;
        opened = clock.instant();
    }

    /**
     * Reconciles the Function once.
     *
     * @param ended called when a packaging that this call started has ended
     * @return delay until the next reconciliation, if one is due without a watch event
     */
    Optional<Duration> over(FunctionObject function, Seen seen, Runnable ended) {
        Optional<Terrain> terrain = ground.terrain();
        if (terrain.isEmpty()) {
            return Optional.of(blind(function));
        }
        Made made = versions.of(function, seen, ended);
        Steered steered = Steered.NOT;
        try {
            if (made.record().isPresent()) {
                steered = steering.step(function, made.record().get(), seen, terrain.get());
            }
        } catch (StorageException outage) {
            made = new Made(new Packaging.Failed(outage), Optional.empty(), made.again());
        } catch (KubernetesClientException failed) {
            report(function, made, failed, seen);
            throw failed;
        }
        reporter.report(function, made, steered, seen);
        return again(made, steered);
    }

    private Duration blind(FunctionObject function) {
        if (clock.instant().isBefore(opened.plus(HEARING))) {
            return SOON;
        }
        reporter.blind(
                function,
                "the controller cannot see %s; see its log and 'kubectl auth can-i --list' for its service account"
                        .formatted(ground.missing()));
        return OUTAGE;
    }

    /** Reports an outage of the API server; a lost race is retried too soon to be worth a report. */
    private void report(FunctionObject function, Made made, KubernetesClientException failed, Seen seen) {
        if (!Steered.isOutage(failed)) {
            return;
        }
        try {
            reporter.report(function, made, Steered.failed(failed), seen);
        } catch (KubernetesClientException also) {
            failed.addSuppressed(also);
        }
    }

    private Optional<Duration> again(Made made, Steered steered) {
        Optional<Duration> tried = made.again().map(this::until);
        if (tried.isPresent()) {
            return tried;
        }
        if (made.packaging() instanceof Packaging.Failed) {
            return Optional.of(OUTAGE);
        }
        return steered.unfinished() ? Optional.of(UNFINISHED) : Optional.empty();
    }

    private Duration until(Instant then) {
        Duration wait = Duration.between(clock.instant(), then);
        return wait.compareTo(SOON) < 0 ? SOON : wait;
    }
}
