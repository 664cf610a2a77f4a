package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeculationGainTest {
    @Test
    void nothingIsDraftedBeforeAStepWithoutDraftsWasMeasured() {
        var gain = new SpeculationGain();
        gain.speculative(1);
        assertThat(gain.isMeasured(1)).isFalse();
        assertThat(gain.pays(1, 1, 5)).isFalse();
    }

    @Test
    void aDraftPaysWhereItGivesMoreTokensInATime() {
        var gain = new SpeculationGain();
        gain.plain(1, 100);
        gain.speculative(250);
        assertThat(gain.pays(1, 1, 2.4)).isFalse();
        assertThat(gain.pays(1, 1, 2.6)).isTrue();
        assertThat(gain.pays(1, 0, 1)).isFalse();
    }

    /** Two texts share a run without drafts, which takes little longer than one of them. */
    @Test
    void twoTextsMustGiveTwiceAsMuchAsTheirRunsTake() {
        var gain = new SpeculationGain();
        gain.plain(1, 100);
        gain.plain(2, 110);
        gain.speculative(150);
        assertThat(gain.pays(2, 2, 5)).isFalse();
        assertThat(gain.pays(2, 2, 6)).isTrue();
        // 150 and 100 for the text without a draft.
        assertThat(gain.pays(2, 1, 4.5)).isFalse();
        assertThat(gain.pays(2, 1, 4.6)).isTrue();
    }
}
