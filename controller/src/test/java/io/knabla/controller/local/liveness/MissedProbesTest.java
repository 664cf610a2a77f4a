package io.knabla.controller.local.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests after which health probes a replica is routed around, killed, or left alone. */
class MissedProbesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ANSWERED                                 | Healthy[]
            UNDECIDED                                | Healthy[]
            STALLED                                  | RouteAround[reason=it failed 1 health probe in a row]
            STALLED ANSWERED                         | Healthy[]
            STALLED STALLED                          | RouteAround[reason=it failed 2 health probes in a row]
            STALLED STALLED UNDECIDED                | RouteAround[reason=it failed 2 health probes in a row]
            STALLED STALLED STALLED                  | Kill[reason=it hangs: it failed 3 health probes in a row and neither used a CPU nor waited for one]
            STALLED STALLED ANSWERED STALLED STALLED | RouteAround[reason=it failed 2 health probes in a row]
            STUCK                                    | RouteAround[reason=it failed 1 health probe in a row]
            STUCK STUCK STUCK                        | Kill[reason=it hangs: a run of its engine is stuck]
            BUSY                                     | Undecided[]
            BUSY BUSY                                | RouteAround[reason=it failed 2 health probes in a row]
            BUSY BUSY BUSY BUSY BUSY BUSY            | RouteAround[reason=it failed 6 health probes in a row]
            BUSY BUSY BUSY BUSY BUSY BUSY ANSWERED   | Healthy[]
            """)
    void decides(String results, String verdict) {
        MissedProbes missed = Arrays.stream(results.split(" "))
                .map(ProbeResult::valueOf)
                .reduce(MissedProbes.NONE, MissedProbes::after, (first, second) -> second);

        assertThat(missed.verdict(LivenessSettings.DEFAULT)).hasToString(verdict);
    }

    @ParameterizedTest
    @CsvSource({"14, RouteAround", "15, Kill"})
    void aBusyReplicaIsKilledOnlyAfterManyMisses(int misses, String verdict) {
        MissedProbes missed = MissedProbes.NONE;
        for (int i = 0; i < misses; i++) {
            missed = missed.after(ProbeResult.BUSY);
        }

        assertThat(missed.verdict(LivenessSettings.DEFAULT).getClass().getSimpleName())
                .isEqualTo(verdict);
    }
}
