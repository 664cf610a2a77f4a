package io.knabla.controller.knative.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.knabla.controller.knative.reconcile.FunctionOperator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseDecisionTest {
    private static final LeaseTimes TIMES = LeaseTimes.DEFAULT;

    @ParameterizedTest
    @CsvSource({
        "me,     0,  7, PT1S",
        "me,     0,  8, claim",
        "me,    30, 30, claim",
        "other, 14, 99, PT6S",
        "other, 20, 99, claim",
        "'',     0, 99, claim",
        ",       0, 99, claim"
    })
    void renewsInTimeAndTakesOverFromASilentHolder(String holder, int unchanged, int renewed, String expected) {
        LeaseDecision move = LeaseDecision.decide(
                "me",
                Optional.of(lease(holder, 20)),
                Duration.ofSeconds(unchanged),
                Duration.ofSeconds(renewed),
                TIMES);

        switch (move) {
            case LeaseDecision.Claim _ -> assertThat(expected).isEqualTo("claim");
            case LeaseDecision.Wait(var time, var _) -> assertThat(time).hasToString(expected);
        }
        assertThat(move.why()).isNotBlank();
    }

    @Test
    void waitsForTheDurationThatTheHolderWrote() {
        assertThat(LeaseDecision.decide(
                        "me", Optional.of(lease("older release", 60)), Duration.ofSeconds(20), Duration.ZERO, TIMES))
                .isEqualTo(new LeaseDecision.Wait(
                        Duration.ofSeconds(40), "until older release has not renewed it in time"));
    }

    @Test
    void claimsAMissingLease() {
        assertThat(LeaseDecision.decide("me", Optional.empty(), Duration.ZERO, Duration.ZERO, TIMES))
                .isEqualTo(new LeaseDecision.Claim("nobody holds it"));
    }

    @Test
    void defaultTimesEndWorkBeforeATakeover() {
        assertThat(TIMES.renewDeadline().plus(FunctionOperator.TERMINATION_TIMEOUT))
                .isLessThan(TIMES.leaseDuration());
        assertThat(TIMES.renewInterval().plus(TIMES.retryPeriod().multipliedBy(2)))
                .isLessThan(TIMES.renewDeadline());
        assertThat(TIMES.leaseDuration()).isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(Duration.ofMinutes(1).dividedBy(TIMES.renewInterval())).isLessThanOrEqualTo(8);
    }

    @Test
    void onlyControllersOfTheSameNamespacesShareALease() {
        assertThat(LeaseClient.name(List.of())).isEqualTo("knabla-operator");
        assertThat(LeaseClient.name(List.of("b", "a")))
                .isEqualTo(LeaseClient.name(List.of("a", "b", "a")))
                .isNotEqualTo(LeaseClient.name(List.of("a")))
                .isNotEqualTo(LeaseClient.name(List.of()))
                .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
                .hasSizeLessThanOrEqualTo(63);
    }

    private static Lease lease(String holder, int seconds) {
        return new LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(seconds)
                .endSpec()
                .build();
    }
}
