package io.knabla.storage.s3.proxy;

import io.knabla.storage.s3.proxy.Fault.S3Error;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Selects random faults with a given probability; a seed determines the sequence. */
public final class SeededFaults implements FaultPlan {
    /** Request timeout that clients must set for {@link Kind#STALL} to exceed it. */
    public static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(2);

    private final RandomGenerator random;
    private final double rate;
    private final List<Kind> kinds;
    private final Map<Kind, Integer> counts = new TreeMap<>();

    /** The kinds of faults to choose from. */
    public enum Kind {
        LATENCY,
        /** Delays longer than {@link #CLIENT_TIMEOUT}: the server performs the request after the client has retried. */
        STALL,
        RESET_BEFORE,
        RESET_AMID,
        ANSWER_LOST,
        CUT,
        REFUSED,
        REFUSED_THOUGH_DONE,
        RACE,
        TRICKLE,
        DUPLICATE
    }

    /** @param rate fraction of requests that get a fault */
    public SeededFaults(long seed, double rate, List<Kind> kinds) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.rate = rate;
        this.kinds = List.copyOf(kinds);
    }

    @Override
    public synchronized Fault next(MessageHead request) {
        if (random.nextDouble() >= rate) {
            return new Fault.None();
        }
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        counts.merge(kind, 1, Integer::sum);
        return fault(kind);
    }

    /** Returns the number of injected faults by kind. */
    public synchronized Map<Kind, Integer> counts() {
        return Map.copyOf(counts);
    }

    private Fault fault(Kind kind) {
        return switch (kind) {
            case LATENCY -> new Fault.Latency(Duration.ofMillis(random.nextInt(1, 60)));
            case STALL -> new Fault.Latency(CLIENT_TIMEOUT.plus(Duration.ofMillis(random.nextInt(1_000))));
            case RESET_BEFORE -> new Fault.ResetBeforeRequest();
            case RESET_AMID -> new Fault.ResetMidRequest(random.nextDouble());
            case ANSWER_LOST -> new Fault.ResponseLost();
            case CUT -> new Fault.Truncated(random.nextDouble(), random.nextBoolean());
            case REFUSED -> refused(false);
            case REFUSED_THOUGH_DONE -> refused(true);
            case RACE -> new Fault.Race();
            case TRICKLE -> new Fault.Trickle(random.nextInt(2, 12), Duration.ofMillis(random.nextInt(1, 8)));
            case DUPLICATE -> new Fault.Duplicate(random.nextBoolean());
        };
    }

    private Fault refused(boolean acted) {
        S3Error refusal = random.nextBoolean() ? S3Error.SLOW_DOWN : S3Error.INTERNAL_ERROR;
        // A longer delay would only slow down the tests.
        OptionalInt retryAfter = random.nextInt(8) == 0 ? OptionalInt.of(1) : OptionalInt.empty();
        return new Fault.Refused(refusal, retryAfter, acted);
    }
}
