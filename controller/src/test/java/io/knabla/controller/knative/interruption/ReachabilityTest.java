package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.interruption.Reachability.Others;
import io.knabla.controller.knative.interruption.Reachability.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReachabilityTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private final Map<String, Instant> leases = new HashMap<>();
    private final NodeWatch watch = new NodeWatch(node -> Optional.ofNullable(leases.get(node)));

    @ParameterizedTest
    @CsvSource({
        "true,  0,  ANSWER, REACHABLE",
        "false, 99, ANSWER, NEVER_REACHED",
        "true,  2,  ANSWER, WAITING",
        "true,  3,  ANSWER, LOST",
        "true,  99, SILENT, ISOLATED",
        "true,  13, NONE,   WAITING",
        "true,  14, NONE,   LOST",
    })
    void aNodeIsLostIfItAloneDoesNotAnswer(boolean reached, int misses, Others others, Verdict verdict) {
        assertThat(new Reachability(reached, misses, Optional.of(NOW)).verdict(others))
                .isEqualTo(verdict);
    }

    @Test
    void aKubeletThatReportsSinceTheFirstMissIsAlive() {
        Reachability silent = new Reachability(true, 3, Optional.of(NOW));

        assertThat(silent.confirmed(Optional.of(NOW.plusSeconds(2)))).isEqualTo(Verdict.REPORTING);
        assertThat(silent.confirmed(Optional.of(NOW.minusSeconds(2)))).isEqualTo(Verdict.LOST);
        assertThat(silent.confirmed(Optional.empty())).isEqualTo(Verdict.LOST);
    }

    @Test
    void oneAnswerStartsTheCountAnew() {
        round(true, true);
        round(false, true);
        round(false, true);
        round(true, true);
        round(false, true);
        assertThat(round(false, true)).isFalse();
        assertThat(round(false, true)).isTrue();
    }

    @Test
    void afterALeaseIsRenewedTheCountStartsAnew() {
        round(true, true);
        leases.put("a", NOW.plusSeconds(5));
        for (int i = 0; i < 3; i++) {
            assertThat(round(false, true)).isFalse();
        }
        leases.put("a", NOW.minusSeconds(5));
        assertThat(round(false, true)).isFalse();
        assertThat(round(false, true)).isFalse();
        assertThat(round(false, true)).isTrue();
    }

    /** Where this machine is cut off, no node answers: none is lost. */
    @Property
    void nodesThatFallSilentTogetherAreNotLost(@ForAll List<Boolean> rounds) {
        for (boolean answers : rounds) {
            assertThat(round(answers, answers)).isFalse();
        }
    }

    private boolean round(boolean a, boolean b) {
        return watch.lost(Map.of("a", a, "b", b), NOW).contains("a");
    }
}
