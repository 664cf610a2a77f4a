package io.knabla.bench.cold;

import io.knabla.bench.machine.Disturbance;
import io.knabla.bench.machine.ForeignCpu;
import io.knabla.bench.machine.Rest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Runs cold starts of subject and reference in rounds, in random order within a round. Repeats a round if other
 * processes used too much CPU, a few times at most.
 */
public final class Duel {
    private final Contender subject;
    private final Contender reference;
    private final Rest rest;
    private final RandomGenerator random;

    public Duel(Contender subject, Contender reference, Rest rest, RandomGenerator random) {
        this.rest = rest;
        this.subject = subject;
        this.reference = reference;
        this.random = random;
    }

    /** One round: a start of each. */
    public record Round(Measured subject, Measured reference) {}

    /**
     * @param repeated rounds that were discarded because of foreign CPU load
     * @param disturbed rounds that count despite foreign CPU load
     */
    public record Rounds(List<Round> all, int repeated, int disturbed) {}

    private record Observed(Measured measured, double foreignShare) {}

    /** Runs the rounds after one warm-up round, which is discarded: it fills caches on both sides. */
    public Rounds fight(int rounds, Disturbance disturbance) {
        round();
        List<Round> all = new ArrayList<>();
        int repeated = 0;
        int disturbed = 0;
        while (all.size() < rounds) {
            Observed[] pair = round();
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

    private Observed[] round() {
        if (random.nextBoolean()) {
            Observed first = observe(subject);
            return new Observed[] {first, observe(reference)};
        }
        Observed first = observe(reference);
        return new Observed[] {observe(subject), first};
    }

    private Observed observe(Contender scenario) {
        scenario.prepare();
        rest.await();
        ForeignCpu others = ForeignCpu.watch();
        Measured measured = scenario.start();
        return new Observed(measured, others.share(measured.cpuMillis()));
    }
}
