package io.knabla.runtime.check;

import java.util.List;
import java.util.Locale;

/** What a dot test found. */
public sealed interface Verdict {
    /**
     * Gradients and differences agree, or where they do not the loss has a kink.
     *
     * @param error the largest relative error of all directions without a kink, rounding included
     * @param kinks directions along which the loss has a kink
     * @param limit what the error was held against
     */
    record Agrees(double error, int kinks, int directions, double limit) implements Verdict {}

    /** They do not, and the loss is smooth here. */
    record Differs(double error, double limit) implements Verdict {
        public String sentence() {
            return String.format(
                    Locale.ROOT,
                    "its gradients are not those of its loss: along a random direction they differ by %.2g of their size from differences of the loss, allowed is %.2g. Please report this with the model; until it is mended, leave the operator out that makes the difference.",
                    error,
                    limit);
        }
    }

    /** The test could not be made, which says nothing about the gradients. */
    record NotTried(String why) implements Verdict {}

    /** The decision over all directions. */
    static Verdict of(List<Slopes> directions, double limit) {
        double error = 0;
        double certain = 0;
        int kinks = 0;
        for (Slopes slopes : directions) {
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
