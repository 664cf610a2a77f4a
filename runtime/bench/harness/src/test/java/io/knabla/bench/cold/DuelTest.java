package io.knabla.bench.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.bench.machine.Disturbance;
import io.knabla.bench.machine.Rest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DuelTest {
    final List<String> starts = new ArrayList<>();

    @Test
    void startsBothPerRoundAndDiscardsWarmUp() {
        var interleaved = new Duel(scenario("subject"), scenario("reference"), Rest.NONE, new Random(4));
        var never = new Disturbance(1, 0);

        Duel.Rounds rounds = interleaved.fight(3, never);

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
        var interleaved = new Duel(scenario("subject"), scenario("reference"), Rest.NONE, new Random(4));
        var always = new Disturbance(-1, 2);

        Duel.Rounds rounds = interleaved.fight(1, always);

        assertThat(rounds.repeated()).isEqualTo(2);
        assertThat(rounds.disturbed()).isEqualTo(1);
        assertThat(rounds.all()).hasSize(1);
    }

    private Contender scenario(String name) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Measured start() {
                starts.add(name);
                return new Measured(starts.size() - 1.0, 0, Map.of());
            }
        };
    }
}
