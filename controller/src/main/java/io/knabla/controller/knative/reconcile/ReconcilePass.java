package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.knative.manifest.ClusterCapabilities;
import io.knabla.controller.knative.reconcile.RolloutApplier.RolloutOutcome;
import io.knabla.controller.knative.reconcile.VersionReconciler.VersionOutcome;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.knative.status.PackagingState;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reconciles one Function: packages its version, applies its objects, writes its status. */
final class ReconcilePass {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** How long the first lists of the watches may take before the status reports them missing. */
    static final Duration HEARING = Duration.ofMinutes(1);

    private static final Duration OUTAGE = Duration.ofSeconds(10);

    /** For declined objects: the cause, such as a quota or a webhook, is not watched. */
    private static final Duration UNFINISHED = Duration.ofSeconds(30);

    private final VersionReconciler versions;
    private final RolloutApplier steering;
    private final StatusWriter reporter;
    private final ClusterWatch ground;
    private final Clock clock;
    private final Instant opened;

    ReconcilePass(
            VersionReconciler versions,
            RolloutApplier steering,
            StatusWriter reporter,
            ClusterWatch ground,
            Clock clock) {
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
    Optional<Duration> reconcile(FunctionObject function, FunctionSnapshot seen, Runnable ended) {
        Optional<ClusterCapabilities> terrain = ground.capabilities();
        if (terrain.isEmpty()) {
            return Optional.of(reportUnreadable(function));
        }
        VersionOutcome made = versions.reconcile(function, seen, ended);
        RolloutOutcome steered = RolloutOutcome.NONE;
        try {
            if (made.record().isPresent()) {
                steered = steering.applyNextStep(function, made.record().get(), seen, terrain.get());
            }
        } catch (StorageException outage) {
            made = new VersionOutcome(new PackagingState.Failed(outage), Optional.empty(), made.again());
        } catch (KubernetesClientException failed) {
            report(function, made, failed, seen);
            throw failed;
        }
        reporter.report(function, made, steered, seen);
        return nextAttempt(made, steered);
    }

    private Duration reportUnreadable(FunctionObject function) {
        if (clock.instant().isBefore(opened.plus(HEARING))) {
            return SOON;
        }
        reporter.reportUnreadable(
                function,
                "the controller cannot see %s; see its log and 'kubectl auth can-i --list' for its service account"
                        .formatted(ground.missing()));
        return OUTAGE;
    }

    /** Reports an outage of the API server; a lost race is retried too soon to be worth a report. */
    private void report(
            FunctionObject function, VersionOutcome made, KubernetesClientException failed, FunctionSnapshot seen) {
        if (!RolloutOutcome.isOutage(failed)) {
            return;
        }
        try {
            reporter.report(function, made, RolloutOutcome.failed(failed), seen);
        } catch (KubernetesClientException also) {
            failed.addSuppressed(also);
        }
    }

    private Optional<Duration> nextAttempt(VersionOutcome made, RolloutOutcome steered) {
        Optional<Duration> tried = made.again().map(this::until);
        if (tried.isPresent()) {
            return tried;
        }
        if (made.packaging() instanceof PackagingState.Failed) {
            return Optional.of(OUTAGE);
        }
        return steered.unfinished() ? Optional.of(UNFINISHED) : Optional.empty();
    }

    private Duration until(Instant then) {
        Duration wait = Duration.between(clock.instant(), then);
        return wait.compareTo(SOON) < 0 ? SOON : wait;
    }
}
