package io.knabla.bench.cold;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.ForeignCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Runs cold starts of subject and reference in rounds, in random order within a round. Repeats a round if other
 * processes used too much CPU, a few times at most.
 */
public final class InterleavedStarts {
    private final StartScenario subject;
    private final StartScenario reference;
    private final Cooldown rest;
    private final RandomGenerator random;

    public InterleavedStarts(StartScenario subject, StartScenario reference, Cooldown rest, RandomGenerator random) {
        this.rest = rest;
        this.subject = subject;
        this.reference = reference;
        this.random = random;
    }

    /** One round: a start of each. */
    public record Round(StartMeasurement subject, StartMeasurement reference) {}

    /**
     * @param repeated rounds that were discarded because of foreign CPU load
     * @param disturbed rounds that count despite foreign CPU load
     */
    public record Rounds(List<Round> all, int repeated, int disturbed) {}

    private record Observation(StartMeasurement measured, double foreignShare) {}

    /** Runs the rounds after one warm-up round, which is discarded: it fills caches on both sides. */
    public Rounds run(int rounds, DisturbancePolicy disturbance) {
        round();
        List<Round> all = new ArrayList<>();
        int repeated = 0;
        int disturbed = 0;
        while (all.size() < rounds) {
            Observation[] pair = round();
            double foreign = Math.max(pair[0].foreignShare(), pair[1].foreignShare());
            var round = new Round(pair[0].measured(), pair[1].measured());
            switch (disturbance.judge(foreign, repeated)) {
                case QUIET -> all.add(round);
                case TAKEN_ANYWAY -> {
                    all.add(round);
                    disturbed++;
                }
                case REPEAT -> repeated++;
            }
        }
        return new Rounds(all, repeated, disturbed);
    }

    private Observation[] round() {
        if (random.nextBoolean()) {
            Observation first = observe(subject);
            return new Observation[] {first, observe(reference)};
        }
        Observation first = observe(reference);
        return new Observation[] {observe(subject), first};
    }

    private Observation observe(StartScenario scenario) {
        scenario.prepare();
        rest.await();
        ForeignCpu others = ForeignCpu.watch();
        StartMeasurement measured = scenario.start();
        return new Observation(measured, others.share(measured.cpuMillis()));
    }
}
