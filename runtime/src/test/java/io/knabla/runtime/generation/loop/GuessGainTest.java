package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuessGainTest {
    @Test
    void nothingIsGuessedBeforeAStepWithoutGuessesWasMeasured() {
        var gain = new GuessGain();
        gain.guessed(1);
        assertThat(gain.isMeasured(1)).isFalse();
        assertThat(gain.pays(1, 1, 5)).isFalse();
    }

    @Test
    void aGuessPaysWhereItGivesMoreTokensInATime() {
        var gain = new GuessGain();
        gain.plain(1, 100);
        gain.guessed(250);
        assertThat(gain.pays(1, 1, 2.4)).isFalse();
        assertThat(gain.pays(1, 1, 2.6)).isTrue();
        assertThat(gain.pays(1, 0, 1)).isFalse();
    }

    /** Two texts share a run without guesses, which takes little longer than one of them. */
    @Test
    void twoTextsMustGiveTwiceAsMuchAsTheirRunsTake() {
        var gain = new GuessGain();
        gain.plain(1, 100);
        gain.plain(2, 110);
        gain.guessed(150);
        assertThat(gain.pays(2, 2, 5)).isFalse();
        assertThat(gain.pays(2, 2, 6)).isTrue();
        // 150 and 100 for the text without a guess.
        assertThat(gain.pays(2, 1, 4.5)).isFalse();
        assertThat(gain.pays(2, 1, 4.6)).isTrue();
    }
}
