package io.knabla.storage.s3.faults;

import io.knabla.storage.s3.faults.Fault.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Any fault with some probability; one seed gives one sequence. */
public final class SeededFaults implements FaultPlan {
    /** What clients must be told to wait at most for {@link Kind#STALL} to be what it is. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RandomGenerator random;
    private final double rate;
    private final List<Kind> kinds;
    private final Map<Kind, Integer> met = new TreeMap<>();

    /** Every way a request may go wrong here. */
    public enum Kind {
        LATENCY,
        /** Longer than {@link #PATIENCE}: the server acts when the client has long asked again. */
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

    /** @param rate part of all requests that meet a fault */
    public SeededFaults(long seed, double rate, List<Kind> kinds) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.rate = rate;
        this.kinds = List.copyOf(kinds);
    }

    @Override
    public synchronized Fault next(Head request) {
        if (random.nextDouble() >= rate) {
            return new Fault.None();
        }
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        met.merge(kind, 1, Integer::sum);
        return fault(kind);
    }

    /** How many requests met what. */
    public synchronized Map<Kind, Integer> met() {
        return Map.copyOf(met);
    }

    private Fault fault(Kind kind) {
        return switch (kind) {
            case LATENCY -> new Fault.Latency(Duration.ofMillis(random.nextInt(1, 60)));
            case STALL -> new Fault.Latency(PATIENCE.plus(Duration.ofMillis(random.nextInt(1_000))));
            case RESET_BEFORE -> new Fault.ResetBefore();
            case RESET_AMID -> new Fault.ResetAmid(random.nextDouble());
            case ANSWER_LOST -> new Fault.AnswerLost();
            case CUT -> new Fault.Cut(random.nextDouble(), random.nextBoolean());
            case REFUSED -> refused(false);
            case REFUSED_THOUGH_DONE -> refused(true);
            case RACE -> new Fault.Race();
            case TRICKLE -> new Fault.Trickle(random.nextInt(2, 12), Duration.ofMillis(random.nextInt(1, 8)));
            case DUPLICATE -> new Fault.Duplicate(random.nextBoolean());
        };
    }

    private Fault refused(boolean acted) {
        Refusal refusal = random.nextBoolean() ? Refusal.SLOW_DOWN : Refusal.INTERNAL_ERROR;
        // A longer wait would test the patience of the tests only.
        OptionalInt retryAfter = random.nextInt(8) == 0 ? OptionalInt.of(1) : OptionalInt.empty();
        return new Fault.Refused(refusal, retryAfter, acted);
    }
}
