package io.knabla.controller.knative.resource;

import static io.knabla.controller.knative.resource.Reason.Persistence.FINAL;
import static io.knabla.controller.knative.resource.Reason.Persistence.TRANSIENT;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reason of a Function's condition: the constant's name is the word in the status, and never changes. Reasons of
 * Kubernetes and Knative that Knabla only passes on are not listed, and count as transient.
 */
public enum Reason {
    /** Of {@code Packaged}. */
    Packaging(TRANSIENT),
    Packaged(TRANSIENT),
    Busy(TRANSIENT),
    Failed(TRANSIENT),
    Invalid(FINAL),
    ModelMissing(FINAL),
    ModelRefused(FINAL),
    CatalogDamaged(TRANSIENT),
    CatalogNewer(TRANSIENT),

    /** Of a failure of the store, in any condition. */
    StoreUnavailable(TRANSIENT),
    StoreForbidden(FINAL),
    CredentialsExpired(TRANSIENT),
    BucketMissing(FINAL),
    UnitMissing(FINAL),

    /** Of {@code Placed}. */
    NotPackaged(TRANSIENT),
    Scheduling(TRANSIENT),
    Placed(TRANSIENT),
    ScaledToZero(TRANSIENT),
    Deleting(TRANSIENT),
    NameTaken(FINAL),
    Declined(FINAL),
    FeatureDisabled(FINAL),
    KnativeTooOld(FINAL),
    GpuImageMissing(FINAL),
    ClusterUnknown(TRANSIENT),
    KubernetesUnavailable(TRANSIENT),
    Unschedulable(TRANSIENT),
    QuotaExceeded(FINAL),
    PodRefused(FINAL),
    NodeGone(TRANSIENT),

    /** Of {@code InterruptionsHandled}. */
    CallRefused(TRANSIENT),
    CallAllowed(TRANSIENT),

    /** Of {@code Placed} on a laptop. */
    PlacementFailed(FINAL),
    Unplaceable(TRANSIENT),

    /** Of {@code Ready}. */
    Reconciling(TRANSIENT),
    Starting(TRANSIENT),
    TrafficMoving(TRANSIENT),
    RouteNotReady(TRANSIENT),
    Ready(TRANSIENT),
    Degraded(TRANSIENT),
    CrashLoop(FINAL),
    OOMKilled(FINAL),
    DeviceLost(TRANSIENT),
    ImagePullBackOff(FINAL),
    InvalidImageName(FINAL),
    ProgressDeadlineExceeded(TRANSIENT);

    /** Whether waiting resolves the cause. */
    enum Persistence {
        /** Somebody must act. */
        FINAL,
        TRANSIENT
    }

    private final Persistence persistence;

    Reason(Persistence persistence) {
        this.persistence = persistence;
    }

    /** Whether the function stays as it is until somebody fixes the cause. */
    public boolean isFinal() {
        return persistence == FINAL;
    }

    /** Finds a reason by its word in a status; empty for one of Kubernetes or Knative. */
    public static Optional<Reason> find(String word) {
        return Stream.of(values()).filter(reason -> reason.name().equals(word)).findFirst();
    }
}
