package io.knabla.controller.operator;

import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.storage.ForeignAddress;
import java.time.Duration;
import java.util.Optional;

/** Decides when a failed packaging is retried. */
final class Again {
    private static final Delays MISSING = new Delays(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final Delays REFUSED = new Delays(Duration.ofMinutes(1), Duration.ofMinutes(10));
    private static final Delays CROWDED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(1));
    private static final Delays FAILED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(5));

    private Again() {}

    /**
     * @param number of the attempt that ended, from 1
     * @return delay before the next attempt; empty if only a changed spec can help
     */
    static Optional<Duration> after(FunctionResource wish, int number, Packaging packaging) {
        return switch (packaging) {
            case Packaging.Ended(var deployment) -> after(wish, number, deployment);
            case Packaging.Failed _ -> Optional.of(FAILED.after(number));
            case Packaging.Waiting _, Packaging.Invalid _ -> Optional.empty();
        };
    }

    private static Optional<Duration> after(FunctionResource wish, int number, Deployment deployment) {
        return switch (deployment) {
            case Deployment.Deployed _, Deployment.Unchanged _ -> Optional.empty();
            case Deployment.ModelMissing _ -> Optional.of(MISSING.after(number));
            case Deployment.Refused _ ->
                // An external model may change, or become readable, while the spec stays the same.
                ForeignAddress.isForeign(wish.spec().model()) ? Optional.of(REFUSED.after(number)) : Optional.empty();
            case Deployment.Busy(var _, var retryAfter) -> Optional.of(retryAfter.plus(CROWDED.after(number)));
        };
    }
}
