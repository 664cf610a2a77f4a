package io.knabla.bench.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InterleavedStartsTest {
    final List<String> starts = new ArrayList<>();

    @Test
    void startsBothPerRoundAndDiscardsWarmUp() {
        var interleaved =
                new InterleavedStarts(scenario("subject"), scenario("reference"), Cooldown.NONE, new Random(4));
        var never = new DisturbancePolicy(1, 0);

        InterleavedStarts.Rounds rounds = interleaved.run(3, never);

        assertThat(starts.stream().filter("subject"::equals)).hasSize(4);
        assertThat(starts.stream().filter("reference"::equals)).hasSize(4);
        assertThat(rounds.all()).hasSize(3);
        assertThat(rounds.repeated()).isZero();
        // The start counter identifies them: the first of each was number 0 or 1.
        assertThat(rounds.all())
                .allSatisfy(round -> assertThat(round.subject().millis()).isGreaterThan(1));
    }

    @Test
    void repeatsDisturbedRoundsUpToTheLimit() {
        var interleaved =
                new InterleavedStarts(scenario("subject"), scenario("reference"), Cooldown.NONE, new Random(4));
        var always = new DisturbancePolicy(-1, 2);

        InterleavedStarts.Rounds rounds = interleaved.run(1, always);

        assertThat(rounds.repeated()).isEqualTo(2);
        assertThat(rounds.disturbed()).isEqualTo(1);
        assertThat(rounds.all()).hasSize(1);
    }

    private StartScenario scenario(String name) {
        return new StartScenario() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public StartMeasurement start() {
                starts.add(name);
                return new StartMeasurement(starts.size() - 1.0, 0, Map.of());
            }
        };
    }
}
