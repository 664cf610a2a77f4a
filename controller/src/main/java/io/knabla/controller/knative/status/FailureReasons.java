package io.knabla.controller.knative.status;

import io.knabla.controller.knative.resource.Reason;
import io.knabla.functions.unit.FailureCode;
import java.util.Optional;

/** Maps a failure of the store or the unit to the condition's reason. */
final class FailureReasons {
    private FailureReasons() {}

    /** Empty if the cause has no reason of its own. */
    static Optional<Reason> of(FailureCode code) {
        return switch (code) {
            case UNIT_MISSING -> Optional.of(Reason.UnitMissing);
            case STORE_FORBIDDEN -> Optional.of(Reason.StoreForbidden);
            case CREDENTIALS_EXPIRED -> Optional.of(Reason.CredentialsExpired);
            case BUCKET_MISSING -> Optional.of(Reason.BucketMissing);
            case STORE_UNAVAILABLE, BAD_OBJECT -> Optional.of(Reason.StoreUnavailable);
            case DEVICE_LOST -> Optional.of(Reason.DeviceLost);
            case UNIT_UNUSABLE, MODEL_REFUSED, CACHE_UNUSABLE, DISK_FULL, OTHER -> Optional.empty();
        };
    }
}
