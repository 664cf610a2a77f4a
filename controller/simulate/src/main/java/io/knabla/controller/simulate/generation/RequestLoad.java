package io.knabla.controller.simulate.generation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests of a trace at any rate: their lengths in the trace's order, and gaps that are stretched to the rate. */
public final class RequestLoad {
    private final List<TextRequest> trace;
    private final double[] gaps;

    /** How requests follow each other. */
    public enum Arrivals {
        /** By chance, independent of each other. */
        Poisson,
        /** As in the trace, bursts included. */
        Trace
    }

    private RequestLoad(List<TextRequest> trace, double[] gaps) {
        this.trace = trace;
        this.gaps = gaps;
    }

    /**
     * @param trace 2 requests or more, in the order of their arrival
     * @param seed of the gaps of {@link Arrivals#Poisson}
     * @throws IllegalArgumentException if the trace is too short, or lasts no time
     */
    public static RequestLoad of(List<TextRequest> trace, Arrivals arrivals, long seed) {
        double lasts = trace.isEmpty()
                ? 0
                : trace.getLast().arrival() - trace.getFirst().arrival();
        if (trace.size() < 2 || !(lasts > 0)) {
            throw new IllegalArgumentException(
                    "the trace has %d requests in %s s; it needs two that do not come at once"
                            .formatted(trace.size(), lasts));
        }
        return new RequestLoad(
                List.copyOf(trace),
                switch (arrivals) {
                    case Poisson -> poisson(trace.size() - 1, new SplittableRandom(seed));
                    case Trace -> recorded(trace, lasts / (trace.size() - 1));
                });
    }

    private static double[] poisson(int count, SplittableRandom random) {
        return random.doubles(count).map(number -> -Math.log(1 - number)).toArray();
    }

    private static double[] recorded(List<TextRequest> trace, double mean) {
        double[] gaps = new double[trace.size() - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = (trace.get(i + 1).arrival() - trace.get(i).arrival()) / mean;
        }
        return gaps;
    }

    /** @param rate requests a second; more than 0 */
    public List<TextRequest> at(double rate) {
        List<TextRequest> requests = new ArrayList<>();
        double time = 0;
        for (int i = 0; i < trace.size(); i++) {
            TextRequest one = trace.get(i);
            requests.add(new TextRequest(time, one.prompt(), one.generated()));
            time += i < gaps.length ? gaps[i] / rate : 0;
        }
        return requests;
    }
}
