package io.knabla.controller.knative.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.platform.VersionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionUtilizationsTest {
    private static final FunctionId WRITER = new FunctionId("default", "writer");
    private static final VersionKey FIRST = new VersionKey(WRITER, 1);

    private Instant now = Instant.EPOCH;
    private final VersionUtilizations utilizations = new VersionUtilizations(_ -> 0.7, () -> now);
    private final List<FunctionId> told = new ArrayList<>();

    VersionUtilizationsTest() {
        utilizations.onChange(told::add);
    }

    /** Ten seconds later, all pods of the first version report these. */
    private void round(double... parts) {
        now = now.plusSeconds(10);
        for (double part : parts) {
            utilizations.reported(FIRST, part);
        }
        utilizations.decide();
    }

    private int minimum() {
        return utilizations.minimum(WRITER, 1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.7, 0", "0.7, 0.7, 0", "0.71, 0.7, 2", "1.4, 0.7, 2", "2.1, 0.7, 3", "1, 1, 0", "1.01, 1, 2"})
    void knativesFormulaFromTwoReplicasOn(double utilization, double target, int replicas) {
        assertThat(VersionUtilizations.replicas(utilization, target)).isEqualTo(replicas);
    }

    @Test
    void allReplicasOfAVersionCountTogether() {
        round(1.0);
        assertThat(minimum()).isEqualTo(2);

        round(1.0, 1.0);
        assertThat(minimum()).isEqualTo(3);
        assertThat(utilizations.minimum(WRITER, 2)).isZero();
        assertThat(told).containsExactly(WRITER, WRITER);
    }

    @Test
    void aMomentChangesNothingAndAMinuteDoes() {
        for (int round = 0; round < 6; round++) {
            round(0.3);
        }
        round(1.0);
        assertThat(minimum()).isZero();

        for (int round = 0; round < 3; round++) {
            round(1.0);
        }
        assertThat(minimum()).isEqualTo(2);
    }

    /** Also of pods that are gone: they report no zero. */
    @Test
    void whatWasReportedIsForgottenAfterAMinute() {
        round(1.0);
        now = now.plus(Duration.ofSeconds(59));
        utilizations.decide();
        assertThat(minimum()).isEqualTo(2);

        now = now.plus(Duration.ofSeconds(1));
        utilizations.decide();
        assertThat(minimum()).isZero();
        assertThat(told).containsExactly(WRITER, WRITER);
    }

    @Test
    void aReplicaIsNotTrusted() {
        round(1e300);

        assertThat(minimum()).isEqualTo(143);
    }
}
