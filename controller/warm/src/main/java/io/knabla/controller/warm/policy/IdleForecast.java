package io.knabla.controller.warm.policy;

import java.util.Arrays;

/**
 * Forecasts the next idle time of a replica as probabilities of {@link LogTime} cells. Several experts give one each:
 * the latest idle times, weighted by age, by likeness of the idle time before, or by the time of day, and smeared over
 * more or fewer cells. They are mixed by how likely they made the idle times seen so far; as the shares are mixed anew
 * with each one, an expert can come back (fixed share; Herbster and Warmuth 1998). Each expert also gives one
 * observation's weight to a time about which nothing is known, so a new function has a forecast too.
 */
final class IdleForecast {
    private static final int RING = 64;
    private static final int DAY_SECONDS = 86_400;

    /** Half widths, in cells, over which an observation is smeared: from 1 % to a factor of 3 in time. */
    private static final int[] SMEARS = {0, 2, 8, 32, 100};

    private static final int CONTEXTS = 4;
    private static final int EXPERTS = CONTEXTS * SMEARS.length;
    private static final double[] SLOW_AGING = powers(0.98);
    private static final double[] FAST_AGING = powers(0.8);

    /** What an observation counts in a context that it does not fit. */
    private static final double UNLIKE = 0.02;

    private static final double PRIOR_WEIGHT = 1;
    private static final double SHARE = 0.02;

    /** An expert of a smaller share is left out of a forecast, for speed. */
    private static final double LEAST_SHARE = 0.005;

    /** From this likelihood ratio on, evidence is called strong (Jeffreys, Theory of Probability). */
    private static final double STRONG = Math.log(10);

    /** So many idle times suffice in any case, as for the hybrid histogram. */
    private static final int ENOUGH = 10;

    /** Count of observations; then cell, cell before and second of day of each. */
    private final double[] ring = new double[1 + 3 * RING];

    private final double[] shares = new double[EXPERTS];
    private final double[] weights = new double[RING];

    /** The cell of the last observation. */
    private final double[] before = {-1};

    /** Count of idle times, short ones too. */
    private final double[] count = {0};

    /** Logarithm of how much likelier what was learned made the idle times than the prior alone. */
    private final double[] evidence = {0};

    IdleForecast() {
        Arrays.fill(shares, 1.0 / EXPERTS);
    }

    double[][] parts() {
        return new double[][] {ring, shares, before, count, evidence};
    }

    /**
     * Whether the forecasts have made the idle times much likelier than they would be without any history, or have seen
     * enough of them. Two equal idle times suffice, irregular ones take up to ten.
     */
    boolean isProven() {
        return evidence[0] >= STRONG || count[0] >= ENOUGH;
    }

    /** An idle time ended before anything was decided. */
    void observeShort() {
        count[0]++;
    }

    /** @param leastCell below it, idle times do not count */
    void observe(double seconds, double secondOfDay, int leastCell) {
        int cell = LogTime.cell(seconds);
        judge(cell, secondOfDay, leastCell);
        int at = 1 + 3 * (int) (ring[0] % RING);
        ring[at] = cell;
        ring[at + 1] = before[0];
        ring[at + 2] = secondOfDay;
        ring[0]++;
        before[0] = cell;
    }

    /** Moves the shares to the experts that expected the cell. */
    private void judge(int cell, double secondOfDay, int leastCell) {
        double none = prior(leastCell);
        double sum = 0;
        for (int context = 0; context < CONTEXTS; context++) {
            double total = weigh(context, secondOfDay) + PRIOR_WEIGHT;
            double[] likelihoods = likelihoods(cell, leastCell);
            for (int smear = 0; smear < SMEARS.length; smear++) {
                int expert = context * SMEARS.length + smear;
                shares[expert] *= (PRIOR_WEIGHT * none + likelihoods[smear]) / total;
                sum += shares[expert];
            }
        }
        for (int expert = 0; expert < EXPERTS; expert++) {
            shares[expert] = (1 - SHARE) * shares[expert] / sum + SHARE / EXPERTS;
        }
        count[0]++;
        evidence[0] += Math.log(sum / none);
    }

    /** Of the cell by the weighed observations, for each smear. */
    private double[] likelihoods(int cell, int leastCell) {
        double[] likelihoods = new double[SMEARS.length];
        for (int i = 0; i < size(); i++) {
            int observed = observed(i, leastCell);
            int distance = Math.abs(observed - cell);
            for (int smear = SMEARS.length - 1; smear >= 0 && distance <= SMEARS[smear]; smear--) {
                int width = high(observed, SMEARS[smear], leastCell) - low(observed, SMEARS[smear], leastCell) + 1;
                likelihoods[smear] += weights[i] / width;
            }
        }
        return likelihoods;
    }

    /** Probability of each cell from the least one on; what is left to 1 is never. */
    double[] cells(double secondOfDay, int leastCell) {
        double[] change = new double[LogTime.CELLS + 1];
        double heard =
                Arrays.stream(shares).filter(share -> share >= LEAST_SHARE).sum();
        for (int context = 0; context < CONTEXTS; context++) {
            double total = weigh(context, secondOfDay) + PRIOR_WEIGHT;
            for (int smear = 0; smear < SMEARS.length; smear++) {
                double share = shares[context * SMEARS.length + smear];
                if (share >= LEAST_SHARE) {
                    addExpert(change, share / heard / total, SMEARS[smear], leastCell);
                }
            }
        }
        for (int cell = 1; cell <= LogTime.CELLS; cell++) {
            change[cell] += change[cell - 1];
        }
        return change;
    }

    /** Adds an expert's probabilities, as changes from cell to cell. */
    private void addExpert(double[] change, double share, int smear, int leastCell) {
        add(change, leastCell, LogTime.CELLS - 1, share * PRIOR_WEIGHT * prior(leastCell));
        for (int i = 0; i < size(); i++) {
            int observed = observed(i, leastCell);
            int low = low(observed, smear, leastCell);
            int high = high(observed, smear, leastCell);
            add(change, low, high, share * weights[i] / (high - low + 1));
        }
    }

    private static void add(double[] change, int low, int high, double each) {
        change[low] += each;
        change[high + 1] -= each;
    }

    /** As likely in every doubling of time, and as in one of them, never. */
    private static double prior(int leastCell) {
        return 1.0 / (LogTime.CELLS - leastCell + LogTime.PER_DOUBLING);
    }

    private int observed(int i, int leastCell) {
        return Math.max((int) ring[1 + 3 * i], leastCell);
    }

    private static int low(int observed, int smear, int leastCell) {
        return Math.clamp(observed - smear, leastCell, LogTime.CELLS - 1);
    }

    private static int high(int observed, int smear, int leastCell) {
        return Math.clamp(observed + smear, leastCell, LogTime.CELLS - 1);
    }

    private int size() {
        return (int) Math.min(ring[0], RING);
    }

    /** Fills the weights of the observations in a context, and sums them. */
    private double weigh(int context, double secondOfDay) {
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            int age = (int) ((ring[0] - 1 - i) % RING);
            weights[i] = switch (context) {
                case 0 -> SLOW_AGING[age];
                case 1 -> FAST_AGING[age];
                case 2 -> SLOW_AGING[age] * likeness(Math.abs(ring[2 + 3 * i] - before[0]) / LogTime.PER_DOUBLING);
                default -> SLOW_AGING[age] * likeness(hoursApart(ring[3 + 3 * i], secondOfDay));
            };
            sum += weights[i];
        }
        return sum;
    }

    private static double[] powers(double base) {
        double[] powers = new double[RING];
        for (int age = 0; age < RING; age++) {
            powers[age] = Math.pow(base, age);
        }
        return powers;
    }

    /** 1 at no distance, falling to a half at one doubling or hour. */
    private static double likeness(double distance) {
        return Math.max(UNLIKE, 1 - distance / 2);
    }

    private static double hoursApart(double one, double other) {
        double apart = Math.abs(one - other);
        return Math.min(apart, DAY_SECONDS - apart) / 3600;
    }
}
