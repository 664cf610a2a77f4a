package io.knabla.bench.cold;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.ForeignCpu;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Runs cold starts of a subject and its references in rounds, in random order within a round. Repeats a round if other
 * processes used too much CPU, a few times at most.
 */
public final class InterleavedStarts {
    private final List<StartScenario> scenarios;
    private final Cooldown rest;
    private final RandomGenerator random;

    public InterleavedStarts(StartScenario subject, StartScenario reference, Cooldown rest, RandomGenerator random) {
        this(List.of(subject, reference), rest, random);
    }

    /** @param scenarios the subject, then its references */
    public InterleavedStarts(List<StartScenario> scenarios, Cooldown rest, RandomGenerator random) {
        this.scenarios = List.copyOf(scenarios);
        this.rest = rest;
        this.random = random;
    }

    /** One round: a start of the subject and of one reference. */
    public record Round(StartMeasurement subject, StartMeasurement reference) {}

    /**
     * @param repeated rounds that were discarded because of foreign CPU load
     * @param disturbed rounds that count despite foreign CPU load
     */
    public record Rounds(List<Round> all, int repeated, int disturbed) {}

    private record Observation(StartMeasurement measured, double foreignShare) {}

    /** Runs the rounds after one warm-up round, which is discarded: it fills caches on all sides. */
    public Rounds run(int rounds, DisturbancePolicy disturbance) {
        return runAgainstEach(rounds, disturbance).getFirst();
    }

    /** As {@link #run}; returns the same starts of the subject beside those of each reference, in their order. */
    public List<Rounds> runAgainstEach(int rounds, DisturbancePolicy disturbance) {
        round();
        List<List<StartMeasurement>> all = new ArrayList<>();
        int repeated = 0;
        int disturbed = 0;
        while (all.size() < rounds) {
            List<Observation> round = round();
            double foreign =
                    round.stream().mapToDouble(Observation::foreignShare).max().orElseThrow();
            switch (disturbance.judge(foreign, repeated)) {
                case QUIET -> all.add(measured(round));
                case TAKEN_ANYWAY -> {
                    all.add(measured(round));
                    disturbed++;
                }
                case REPEAT -> repeated++;
            }
        }
        List<Rounds> pairs = new ArrayList<>();
        for (int i = 1; i < scenarios.size(); i++) {
            int reference = i;
            pairs.add(new Rounds(
                    all.stream()
                            .map(round -> new Round(round.getFirst(), round.get(reference)))
                            .toList(),
                    repeated,
                    disturbed));
        }
        return pairs;
    }

    private static List<StartMeasurement> measured(List<Observation> round) {
        return round.stream().map(Observation::measured).toList();
    }

    private List<Observation> round() {
        List<StartScenario> order = new ArrayList<>(scenarios);
        Collections.shuffle(order, random);
        Map<StartScenario, Observation> observed = new HashMap<>();
        order.forEach(scenario -> observed.put(scenario, observe(scenario)));
        return scenarios.stream().map(observed::get).toList();
    }

    private Observation observe(StartScenario scenario) {
        scenario.prepare();
        rest.await();
        ForeignCpu others = ForeignCpu.watch();
        StartMeasurement measured = scenario.start();
        return new Observation(measured, others.share(measured.cpuMillis()));
    }
}
