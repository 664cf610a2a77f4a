package io.knabla.runtime.schedule;

/**
 * What runs that read parts of prompts take: a time that each takes, and one for each token. A straight line through
 * the latest of them, by least squares; where their lengths are alike, a line through zero. Times are nanoseconds.
 */
final class ReadTimes {
    /** By so much an earlier run counts less than the one that follows it. */
    private static final double OLDER = 0.9;

    /** Of the mean length, squared: lengths that vary less say nothing of the line's slope. */
    private static final double LEAST_VARIANCE = 0.01;

    private double count;
    private double tokens;
    private double nanos;
    private double tokensSquared;
    private double tokensNanos;

    void add(int length, long time) {
        count = OLDER * count + 1;
        tokens = OLDER * tokens + length;
        nanos = OLDER * nanos + time;
        tokensSquared = OLDER * tokensSquared + (double) length * length;
        tokensNanos = OLDER * tokensNanos + (double) length * time;
    }

    boolean isUnknown() {
        return count == 0;
    }

    /** Of a token, with its part of what each run takes. */
    double mean() {
        return nanos / tokens;
    }

    /** More than 0, unless all runs took no time. */
    double perToken() {
        return isLine() ? slope() : mean();
    }

    /** 0 or more. */
    double perRun() {
        return isLine() ? base() : 0;
    }

    private boolean isLine() {
        return spread() > LEAST_VARIANCE * tokens * tokens && slope() > 0 && base() > 0;
    }

    private double spread() {
        return count * tokensSquared - tokens * tokens;
    }

    private double slope() {
        return (count * tokensNanos - tokens * nanos) / spread();
    }

    private double base() {
        return (nanos - slope() * tokens) / count;
    }
}
