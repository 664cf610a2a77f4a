package io.knabla.controller.simulate.warm.trace;

import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Generates a trace from what is published of Azure's functions (Shahrad et al., ATC 2020): 45 % are called at most
 * hourly, a further 36 % at most once a minute; 16 % have a timer, most others are bursty and follow the day; the half
 * take less than a second on average. The same seed gives the same trace.
 *
 * @param functions how many
 * @param days how long
 */
public record TraceGenerator(int functions, int days) {
    /** Where a check or an example does not say otherwise. */
    public static final TraceGenerator DEFAULT = new TraceGenerator(100, 7);

    private static final double DAY = 86_400;
    private static final double HOURLY = 0.45;
    private static final double MINUTELY = 0.36;
    private static final double TIMER = 0.16;
    private static final double STEADY = 0.15;
    private static final double DAILY = 0.45;

    /** Means of executions are log-normal; this is the half. */
    private static final double MEDIAN_SECONDS = 0.7;

    private static final double SPREAD = 2.0;
    private static final double MOST_SECONDS = 60;
    private static final double MEDIAN_GB = 0.17;
    private static final double GB_SPREAD = 0.7;
    private static final int[] TIMER_MINUTES = {1, 5, 5, 10, 15, 15, 30, 60, 60, 60, 120, 360, 720, 1440, 1440};

    /** Busier functions are always warm under any policy, and only cost time. */
    private static final double MOST_PER_DAY = 8_640;

    public Trace generate(long seed) {
        List<FunctionTrace> traces = IntStream.range(0, functions)
                .mapToObj(i -> function("f%03d".formatted(i), new SplittableRandom(seed * 1_000_003 + i)))
                .filter(trace -> trace.size() > 0)
                .toList();
        return new Trace("generated-" + seed, traces, Math.round(days * DAY * 1e3));
    }

    private FunctionTrace function(String name, RandomGenerator random) {
        double seconds = Math.min(MOST_SECONDS, MEDIAN_SECONDS * Math.exp(SPREAD * random.nextGaussian()));
        double gb = Math.max(0.064, MEDIAN_GB * Math.exp(GB_SPREAD * random.nextGaussian()));
        Requests requests = new Requests();
        double kind = random.nextDouble();
        double perDay = perDay(random);
        if (kind < TIMER) {
            timer(requests, seconds, random);
        } else if (kind < TIMER + STEADY) {
            poisson(requests, perDay, 0, seconds, random);
        } else if (kind < TIMER + STEADY + DAILY) {
            poisson(requests, perDay, 0.6 + 0.4 * random.nextDouble(), seconds, random);
        } else {
            sessions(requests, perDay, seconds, random);
        }
        return requests.of(name, OptionalDouble.of(gb));
    }

    private static double perDay(RandomGenerator random) {
        double kind = random.nextDouble();
        return kind < HOURLY
                ? logUniform(0.5, 24, random)
                : kind < HOURLY + MINUTELY ? logUniform(24, 1440, random) : logUniform(1440, MOST_PER_DAY, random);
    }

    private void timer(Requests requests, double seconds, RandomGenerator random) {
        double period = 60.0 * TIMER_MINUTES[random.nextInt(TIMER_MINUTES.length)];
        for (double tick = period * random.nextDouble(); tick < days * DAY; tick += period) {
            request(requests, tick + 0.5 * random.nextDouble(), seconds, random);
        }
    }

    /** @param swing 0 for a constant rate, 1 for one that falls to nothing at night */
    private void poisson(Requests requests, double perDay, double swing, double seconds, RandomGenerator random) {
        double noon = DAY * random.nextDouble();
        double peak = perDay * (1 + swing) / DAY;
        for (double time = exponential(peak, random); time < days * DAY; time += exponential(peak, random)) {
            double rate = (1 + swing * Math.cos(2 * Math.PI * (time - noon) / DAY)) / (1 + swing);
            if (random.nextDouble() < rate) {
                request(requests, time, seconds, random);
            }
        }
    }

    /** Bursts of requests, with times between bursts that have a heavy tail. */
    private void sessions(Requests requests, double perDay, double seconds, RandomGenerator random) {
        double burst = logUniform(2, 50, random);
        double within = logUniform(0.5, 120, random);
        double shape = 1.2 + random.nextDouble();
        double shortest = Math.max(1, DAY * burst / perDay * (shape - 1) / shape);
        for (double time = shortest * random.nextDouble(); time < days * DAY; ) {
            long length = 1 + Math.round(exponential(1 / burst, random));
            for (long i = 0; i < length && time < days * DAY; i++) {
                request(requests, time, seconds, random);
                time += exponential(1 / within, random);
            }
            time += shortest * Math.pow(1 - random.nextDouble(), -1 / shape);
        }
    }

    private void request(Requests requests, double time, double seconds, RandomGenerator random) {
        double duration = seconds * Math.exp(0.5 * random.nextGaussian() - 0.125);
        if (time < days * DAY) {
            requests.add(time, Math.min(MOST_SECONDS, duration), 1);
        }
    }

    private static double exponential(double rate, RandomGenerator random) {
        return random.nextExponential() / rate;
    }

    private static double logUniform(double least, double most, RandomGenerator random) {
        return least * Math.pow(most / least, random.nextDouble());
    }
}
