package io.knabla.controller.simulate.warm.baseline;

/**
 * One-step forecast of a series by ARIMA(0,1,1), that is simple exponential smoothing, with the factor that had the
 * least squared error on the series. The paper of the hybrid histogram searches all orders of ARIMA; this is the one
 * that needs no solver.
 */
final class SmoothedForecast {
    private static final int STEPS = 20;

    private SmoothedForecast() {}

    /** @param series at least one number, the oldest first */
    static double next(double[] series) {
        double best = Double.POSITIVE_INFINITY;
        double forecast = series[0];
        for (int step = 1; step <= STEPS; step++) {
            double factor = (double) step / STEPS;
            double level = series[0];
            double error = 0;
            for (int i = 1; i < series.length; i++) {
                error += (series[i] - level) * (series[i] - level);
                level += factor * (series[i] - level);
            }
            if (error < best) {
                best = error;
                forecast = level;
            }
        }
        return forecast;
    }
}
