package io.knabla.runtime.check;

import java.util.List;
import java.util.Locale;

/** Result of a gradient check. */
public sealed interface GradientCheckResult {
    /**
     * Gradients and finite differences agree in every direction along which the loss has no kink.
     *
     * @param error largest relative error over the directions without a kink, rounding included
     * @param kinks number of directions along which the loss has a kink
     * @param limit largest error allowed
     */
    record Agrees(double error, int kinks, int directions, double limit) implements GradientCheckResult {}

    /** Gradients and finite differences disagree where the loss is smooth. */
    record Differs(double error, double limit) implements GradientCheckResult {
        public String sentence() {
            return String.format(
                    Locale.ROOT,
                    "its gradients do not match its loss: along a random direction they differ by %.2g (relative) from finite differences of the loss; the limit is %.2g. Please report this with the model; until it is fixed, remove the operator that causes the difference.",
                    error,
                    limit);
        }
    }

    /** The check could not run, which says nothing about the gradients. */
    record NotTried(String why) implements GradientCheckResult {}

    /** Decides over all directions. */
    static GradientCheckResult of(List<DirectionalDerivative> directions, double limit) {
        double error = 0;
        double certain = 0;
        int kinks = 0;
        for (DirectionalDerivative slopes : directions) {
            if (slopes.certainError() > limit && slopes.kink()) {
                kinks++;
            } else {
                error = Math.max(error, slopes.error());
                certain = Math.max(certain, slopes.certainError());
            }
        }
        return certain <= limit ? new Agrees(error, kinks, directions.size(), limit) : new Differs(certain, limit);
    }
}
