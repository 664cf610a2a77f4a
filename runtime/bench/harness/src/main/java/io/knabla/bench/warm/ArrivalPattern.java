package io.knabla.bench.warm;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Times at which a client sends requests: a timer, bursts, or a day's curve. */
enum ArrivalPattern {
    /** Each 20 s. */
    timer {
        @Override
        double gap(double time, RandomGenerator random) {
            return 20;
        }
    },
    /** Bursts of a second's distance, 45 s apart on average. */
    bursty {
        @Override
        double gap(double time, RandomGenerator random) {
            return random.nextInt(5) == 0 ? 15 + 30 * random.nextExponential() : 1;
        }
    },
    /** At random times, three days of five minutes: on average 5 s apart at noon, 50 s at midnight. */
    diurnal {
        @Override
        double gap(double time, RandomGenerator random) {
            double light = (1 - Math.cos(2 * Math.PI * time / 300)) / 2;
            return random.nextExponential() / (0.02 + 0.18 * light);
        }
    };

    /** The length that the times are stated for, in seconds. */
    static final double LENGTH = 900;

    abstract double gap(double time, RandomGenerator random);

    /** Seconds from the begin, until {@link #LENGTH}. */
    List<Double> times(RandomGenerator random) {
        List<Double> times = new ArrayList<>();
        for (double time = gap(0, random); time < LENGTH; time += gap(time, random)) {
            times.add(time);
        }
        return times;
    }
}
