package io.knabla.runtime.check;

import java.util.List;

/**
 * How the loss changes along one direction, by its gradient and by differences.
 *
 * @param gradient the gradient's product with the direction
 * @param typical what that product is for most directions: the length of the gradient
 * @param differences at shrinking step sizes
 */
record Slopes(double gradient, double typical, List<Difference> differences) {
    /** One-sided slopes that differ by more than this part of the typical one mean a kink. */
    private static final double KINK = 0.1;

    Slopes {
        differences = List.copyOf(differences);
    }

    /**
     * Differences of the loss at one step size.
     *
     * @param before the slope from {@code -eps} to 0
     * @param after the slope from 0 to {@code eps}
     * @param doubt how far the loss's rounding may have moved them
     */
    record Difference(double eps, double before, double after, double doubt) {
        double central() {
            return (before + after) / 2;
        }
    }

    /** How far gradient and differences are apart at the step size that suits best, relative to the larger. */
    double error() {
        return least(0);
    }

    /** The same less what rounding may have done. */
    double certainError() {
        return least(1);
    }

    private double least(double doubts) {
        double least = Double.POSITIVE_INFINITY;
        for (Difference one : differences) {
            double scale = Math.max(typical, Math.max(Math.abs(gradient), Math.abs(one.central())));
            double apart = Math.abs(gradient - one.central()) - doubts * one.doubt();
            least = Math.min(least, apart <= 0 ? 0 : apart / scale);
        }
        return least;
    }

    /**
     * Whether the loss bends sharply here: at the smallest step the slopes on both sides still differ, while those of a
     * smooth function approach each other.
     */
    boolean kink() {
        Difference smallest = differences.getLast();
        double scale = Math.max(typical, Math.max(Math.abs(smallest.before()), Math.abs(smallest.after())));
        double apart = Math.abs(smallest.after() - smallest.before()) - 2 * smallest.doubt();
        return apart > KINK * scale;
    }
}
