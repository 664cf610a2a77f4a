package io.knabla.controller.spot.policy;

/**
 * Estimates, from counts, how often one replica or zone is lost when another one is.
 *
 * @param met occasions
 * @param lost of them, those with a loss
 */
public record Correlation(double met, double lost) {
    /** @param lost expected before anything is known, with the weight of {@code met} occasions */
    static Correlation prior(double met, double lost) {
        return new Correlation(met, lost);
    }

    Correlation and(long moreMet, long moreLost) {
        return new Correlation(met + moreMet, lost + moreLost);
    }

    double probability() {
        return lost / met;
    }
}
