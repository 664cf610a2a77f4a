package io.knabla.controller.warm.policy;

/**
 * Divides time into cells on a logarithmic scale: 64 in each doubling, from one second to twelve days. Each is 1.1 %
 * wide.
 */
final class LogTime {
    static final int PER_DOUBLING = 64;
    static final int CELLS = 20 * PER_DOUBLING;

    private static final double[] BEGIN_SECONDS = new double[CELLS + 1];

    static {
        for (int cell = 0; cell <= CELLS; cell++) {
            BEGIN_SECONDS[cell] = Math.pow(2, (double) cell / PER_DOUBLING);
        }
    }

    private LogTime() {}

    /** The first and the last cell also hold what is shorter or longer. */
    static int cell(double seconds) {
        return seconds <= 1 ? 0 : (int) Math.min(CELLS - 1, Math.floor(PER_DOUBLING * Math.log(seconds) / Math.log(2)));
    }

    static double begin(int cell) {
        return BEGIN_SECONDS[cell];
    }

    static double width(int cell) {
        return BEGIN_SECONDS[cell + 1] - BEGIN_SECONDS[cell];
    }
}
