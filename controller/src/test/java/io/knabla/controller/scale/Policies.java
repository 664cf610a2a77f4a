package io.knabla.controller.scale;

import java.time.Duration;
import java.util.Optional;

/** Builds policies from Knative's defaults; a test sets only what it is about. */
record Policies(
        int capacity,
        double scaleUpRate,
        Optional<Duration> delay,
        int activation,
        int min,
        int max,
        Duration idleAfter) {
    static Policies knative() {
        return new Policies(10, 1000, Optional.empty(), 1, 0, 100, Duration.ofSeconds(60));
    }

    Policies scaleUpRate(double wanted) {
        return new Policies(capacity, wanted, delay, activation, min, max, idleAfter);
    }

    Policies delay(Duration wanted) {
        return new Policies(capacity, scaleUpRate, Optional.of(wanted), activation, min, max, idleAfter);
    }

    Policies activation(int wanted) {
        return new Policies(capacity, scaleUpRate, delay, wanted, min, max, idleAfter);
    }

    Policies bounds(int least, int most) {
        return new Policies(capacity, scaleUpRate, delay, activation, least, most, idleAfter);
    }

    Policies idleAfter(Duration wanted) {
        return new Policies(capacity, scaleUpRate, delay, activation, min, max, wanted);
    }

    KpaPolicy policy() {
        return new KpaPolicy(
                capacity,
                Optional.empty(),
                0.7,
                Duration.ofSeconds(60),
                10,
                2.0,
                scaleUpRate,
                2,
                delay,
                activation,
                1,
                min,
                max,
                idleAfter);
    }
}
