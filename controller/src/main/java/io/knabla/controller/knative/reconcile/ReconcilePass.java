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
    private final RolloutApplier rollouts;
    private final StatusWriter reporter;
    private final ClusterWatch watch;
    private final Clock clock;
    private final Instant opened;

    ReconcilePass(
            VersionReconciler versions,
            RolloutApplier rollouts,
            StatusWriter reporter,
            ClusterWatch watch,
            Clock clock) {
        this.versions = versions;
        this.rollouts = rollouts;
        this.reporter = reporter;
        this.watch = watch;
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
        Optional<ClusterCapabilities> capabilities = watch.capabilities();
        if (capabilities.isEmpty()) {
            return Optional.of(reportUnreadable(function));
        }
        VersionOutcome versionOutcome = versions.reconcile(function, seen, ended);
        RolloutOutcome rolloutOutcome = RolloutOutcome.NONE;
        try {
            if (versionOutcome.record().isPresent()) {
                rolloutOutcome =
                        rollouts.applyNextStep(function, versionOutcome.record().get(), seen, capabilities.get());
            }
        } catch (StorageException outage) {
            versionOutcome =
                    new VersionOutcome(new PackagingState.Failed(outage), Optional.empty(), versionOutcome.again());
        } catch (KubernetesClientException failed) {
            report(function, versionOutcome, failed, seen);
            throw failed;
        }
        reporter.report(function, versionOutcome, rolloutOutcome, seen);
        return nextAttempt(versionOutcome, rolloutOutcome);
    }

    private Duration reportUnreadable(FunctionObject function) {
        if (clock.instant().isBefore(opened.plus(HEARING))) {
            return SOON;
        }
        reporter.reportUnreadable(
                function,
                "the controller cannot see %s; see its log and 'kubectl auth can-i --list' for its service account"
                        .formatted(watch.missing()));
        return OUTAGE;
    }

    /** Reports an outage of the API server; a lost race is retried too soon to be worth a report. */
    private void report(
            FunctionObject function,
            VersionOutcome versionOutcome,
            KubernetesClientException failed,
            FunctionSnapshot seen) {
        if (!RolloutOutcome.isOutage(failed)) {
            return;
        }
        try {
            reporter.report(function, versionOutcome, RolloutOutcome.failed(failed), seen);
        } catch (KubernetesClientException also) {
            failed.addSuppressed(also);
        }
    }

    private Optional<Duration> nextAttempt(VersionOutcome versionOutcome, RolloutOutcome rolloutOutcome) {
        Optional<Duration> tried = versionOutcome.again().map(this::until);
        if (tried.isPresent()) {
            return tried;
        }
        if (versionOutcome.packaging() instanceof PackagingState.Failed) {
            return Optional.of(OUTAGE);
        }
        return rolloutOutcome.unfinished() ? Optional.of(UNFINISHED) : Optional.empty();
    }

    private Duration until(Instant then) {
        Duration wait = Duration.between(clock.instant(), then);
        return wait.compareTo(SOON) < 0 ? SOON : wait;
    }
}
