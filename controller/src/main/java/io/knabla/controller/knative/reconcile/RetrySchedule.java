package io.knabla.controller.knative.reconcile;

import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.knative.status.PackagingState;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.storage.ExternalAddress;
import java.time.Duration;
import java.util.Optional;

/** Decides when a failed packaging is retried. */
final class RetrySchedule {
    private static final ExponentialBackoff MISSING =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final ExponentialBackoff REFUSED =
            new ExponentialBackoff(Duration.ofMinutes(1), Duration.ofMinutes(10));
    private static final ExponentialBackoff CROWDED =
            new ExponentialBackoff(Duration.ofSeconds(2), Duration.ofMinutes(1));
    private static final ExponentialBackoff FAILED =
            new ExponentialBackoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

    private RetrySchedule() {}

    /**
     * @param number of the attempt that ended, from 1
     * @return delay before the next attempt; empty if only a changed spec can help
     */
    static Optional<Duration> after(FunctionResource desired, int number, PackagingState packaging) {
        return switch (packaging) {
            case PackagingState.Ended(var deployment) -> after(desired, number, deployment);
            case PackagingState.Failed _ -> Optional.of(FAILED.after(number));
            case PackagingState.Waiting _, PackagingState.Invalid _ -> Optional.empty();
        };
    }

    private static Optional<Duration> after(FunctionResource desired, int number, DeployResult deployment) {
        return switch (deployment) {
            case DeployResult.Deployed _, DeployResult.Unchanged _ -> Optional.empty();
            case DeployResult.ModelMissing _ -> Optional.of(MISSING.after(number));
            case DeployResult.Refused _ ->
                // An external model may change, or become readable, while the spec stays the same.
                ExternalAddress.isExternal(desired.spec().model())
                        ? Optional.of(REFUSED.after(number))
                        : Optional.empty();
            case DeployResult.Busy(var _, var retryAfter) -> Optional.of(retryAfter.plus(CROWDED.after(number)));
        };
    }
}
