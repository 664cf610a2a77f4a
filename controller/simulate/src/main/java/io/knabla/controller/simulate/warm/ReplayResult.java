package io.knabla.controller.simulate.warm;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a replay measured.
 *
 * @param peakGb the most memory that replicas held at a time; replayed apart, the sum over functions
 */
public final class ReplayResult {
    private final List<Tally> functions;
    private final double peakGb;

    ReplayResult(List<Tally> functions, double peakGb) {
        this.functions = functions;
        this.peakGb = peakGb;
    }

    List<Tally> functions() {
        return functions;
    }

    public double peakGb() {
        return peakGb;
    }

    public long requests() {
        return functions.stream().mapToLong(tally -> tally.requests).sum();
    }

    /** Requests that waited for a start. */
    public long cold() {
        return functions.stream().mapToLong(tally -> tally.cold).sum();
    }

    /** Those of them that started a replica beside a busy one. */
    public long scaleOut() {
        return functions.stream().mapToLong(tally -> tally.scaleOut).sum();
    }

    /** Requests that found no memory for a replica; they count as cold too. */
    public long refused() {
        return functions.stream().mapToLong(tally -> tally.refused).sum();
    }

    /** Replicas that were started ahead of a request. */
    public long preWarms() {
        return functions.stream().mapToLong(tally -> tally.preWarms).sum();
    }

    public long preWarmsUsed() {
        return functions.stream().mapToLong(tally -> tally.preWarmsUsed).sum();
    }

    public double coldRate() {
        return ratio(cold(), requests());
    }

    /** Quantile of the cold rates of functions, between neighbours by linear interpolation; 0 without requests. */
    public double coldRateQuantile(double quantile) {
        return Quantiles.of(
                functions.stream()
                        .filter(tally -> tally.requests > 0)
                        .mapToDouble(tally -> ratio(tally.cold, tally.requests))
                        .toArray(),
                quantile);
    }

    /** Seconds that requests waited for starts, in sum. */
    public double waitSeconds() {
        return sum(Tally::waitSeconds);
    }

    /** Quantile of the wait for a start over all requests, in seconds. */
    public double waitQuantile(double quantile) {
        double[] waits = functions.stream()
                .flatMapToDouble(tally -> Arrays.stream(tally.waits()))
                .sorted()
                .toArray();
        long rank = (long) Math.ceil(quantile * requests());
        long from = rank - 1 - (requests() - waits.length);
        return from < 0 || waits.length == 0 ? 0 : waits[(int) Math.min(from, waits.length - 1)];
    }

    public double wastedGbSeconds() {
        return sum(Tally::wastedGbSeconds);
    }

    public double keptGbSeconds() {
        return sum(tally -> tally.keptGbSeconds);
    }

    public double preWarmedUsedGbSeconds() {
        return sum(tally -> tally.preWarmedUsedGbSeconds);
    }

    public double preWarmedUnusedGbSeconds() {
        return sum(tally -> tally.preWarmedUnusedGbSeconds);
    }

    /** Memory of layers without a model, kept for any function. */
    public double layerGbSeconds() {
        return sum(tally -> tally.layerGbSeconds);
    }

    /** Memory of replicas that a request waited for. */
    public double startingGbSeconds() {
        return sum(tally -> tally.startingGbSeconds);
    }

    public double busyGbSeconds() {
        return sum(tally -> tally.busyGbSeconds);
    }

    /** All memory over the busy one; 0 if nothing was busy. */
    public double memoryRatio() {
        double busy = busyGbSeconds();
        return busy == 0 ? 0 : (busy + wastedGbSeconds() + startingGbSeconds()) / busy;
    }

    private double sum(ToDoubleFunction<Tally> part) {
        return functions.stream().mapToDouble(part).sum();
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
