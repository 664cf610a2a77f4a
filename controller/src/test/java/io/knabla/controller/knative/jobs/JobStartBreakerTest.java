package io.knabla.controller.knative.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class JobStartBreakerTest {
    private Instant now = Instant.EPOCH;
    private final JobStartBreaker vacancy = new JobStartBreaker(new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    });

    @Test
    void admitsAllJobsBeforeAFailure() {
        assertThat(vacancy.rejection()).isEmpty();
        assertThat(vacancy.rejection()).isEmpty();
    }

    @Test
    void admitsOneTrialJobPerPauseAfterAFailure() {
        vacancy.recordFailure("the cluster is full");

        assertThat(vacancy.rejection()).hasValue("the cluster is full");
        now = now.plus(JobStartBreaker.PAUSE).minus(Duration.ofSeconds(1));
        assertThat(vacancy.rejection()).hasValue("the cluster is full");
        now = now.plusSeconds(1);
        assertThat(vacancy.rejection()).isEmpty();
        assertThat(vacancy.rejection()).hasValue("the cluster is full");
        now = now.plus(JobStartBreaker.PAUSE);
        assertThat(vacancy.rejection()).isEmpty();
    }

    @Test
    void admitsAllJobsAfterASuccess() {
        vacancy.recordFailure("the cluster is full");

        vacancy.recordSuccess();

        assertThat(vacancy.rejection()).isEmpty();
        assertThat(vacancy.rejection()).isEmpty();
    }
}
