package io.knabla.runtime.generation.loop;

/** Mean of a quantity of runs, in which newer runs weigh more. For one thread. */
final class MeanOfRuns {
    private static final double NEWEST = 0.2;

    private double mean;
    private boolean known;

    void add(double value) {
        mean = known ? (1 - NEWEST) * mean + NEWEST * value : value;
        known = true;
    }

    boolean isKnown() {
        return known;
    }

    double or(double otherwise) {
        return known ? mean : otherwise;
    }
}
