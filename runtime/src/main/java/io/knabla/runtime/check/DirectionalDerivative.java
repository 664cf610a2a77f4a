package io.knabla.runtime.check;

import java.util.List;

/**
 * Slope of the loss along one direction: by the gradient, and by finite differences.
 *
 * @param gradient the gradient's dot product with the direction
 * @param gradientNorm norm of the gradient, which is the typical size of that product
 * @param differences finite differences at shrinking step sizes
 */
record DirectionalDerivative(double gradient, double gradientNorm, List<Difference> differences) {
    /** One-sided slopes that differ by more than this fraction of the gradient's norm mean a kink. */
    private static final double KINK = 0.1;

    DirectionalDerivative {
        differences = List.copyOf(differences);
    }

    /**
     * One-sided finite differences of the loss at one step size.
     *
     * @param backward the slope from {@code -eps} to 0
     * @param forward the slope from 0 to {@code eps}
     * @param roundingError error that the loss's rounding may cause in either
     */
    record Difference(double eps, double backward, double forward, double roundingError) {
        double central() {
            return (backward + forward) / 2;
        }
    }

    /** Relative error between gradient and central difference, at the step size where it is smallest. */
    double error() {
        return least(0);
    }

    /** The same error minus what rounding may explain. */
    double certainError() {
        return least(1);
    }

    private double least(double doubts) {
        double least = Double.POSITIVE_INFINITY;
        for (Difference one : differences) {
            double scale = Math.max(gradientNorm, Math.max(Math.abs(gradient), Math.abs(one.central())));
            double apart = Math.abs(gradient - one.central()) - doubts * one.roundingError();
            least = Math.min(least, apart <= 0 ? 0 : apart / scale);
        }
        return least;
    }

    /**
     * Whether the loss has a kink here: at the smallest step the slopes of the two sides still differ, while those of a
     * smooth function converge.
     */
    boolean kink() {
        Difference smallest = differences.getLast();
        double scale = Math.max(gradientNorm, Math.max(Math.abs(smallest.backward()), Math.abs(smallest.forward())));
        double apart = Math.abs(smallest.forward() - smallest.backward()) - 2 * smallest.roundingError();
        return apart > KINK * scale;
    }
}
