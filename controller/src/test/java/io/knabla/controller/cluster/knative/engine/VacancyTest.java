package io.knabla.controller.cluster.knative.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class VacancyTest {
    private Instant now = Instant.EPOCH;
    private final Vacancy vacancy = new Vacancy(new Clock() {
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
        assertThat(vacancy.none()).isEmpty();
        assertThat(vacancy.none()).isEmpty();
    }

    @Test
    void admitsOneTrialJobPerPauseAfterAFailure() {
        vacancy.missed("the cluster is full");

        assertThat(vacancy.none()).hasValue("the cluster is full");
        now = now.plus(Vacancy.PAUSE).minus(Duration.ofSeconds(1));
        assertThat(vacancy.none()).hasValue("the cluster is full");
        now = now.plusSeconds(1);
        assertThat(vacancy.none()).isEmpty();
        assertThat(vacancy.none()).hasValue("the cluster is full");
        now = now.plus(Vacancy.PAUSE);
        assertThat(vacancy.none()).isEmpty();
    }

    @Test
    void admitsAllJobsAfterASuccess() {
        vacancy.missed("the cluster is full");

        vacancy.found();

        assertThat(vacancy.none()).isEmpty();
        assertThat(vacancy.none()).isEmpty();
    }
}
