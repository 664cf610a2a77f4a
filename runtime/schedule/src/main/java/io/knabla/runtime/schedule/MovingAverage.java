package io.knabla.runtime.schedule;

/** Exponential moving average: the newest value counts a fifth, those before it the rest. For one thread. */
public final class MovingAverage {
    private static final double NEWEST = 0.2;

    private double average;
    private boolean known;

    public void add(double value) {
        average = known ? (1 - NEWEST) * average + NEWEST * value : value;
        known = true;
    }

    /** Whether there was a value. */
    public boolean isKnown() {
        return known;
    }

    /** The average, or another number before the first value. */
    public double or(double otherwise) {
        return known ? average : otherwise;
    }
}
