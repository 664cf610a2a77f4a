package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.manifest.WakeDecision.Facts;
import io.knabla.controller.knative.manifest.WakeDecision.Place;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WakeDecisionTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                        | unfit | ready | often | sleeps | replicas | minimum | place
            a running function keeps its pods |       | true  | false | false  | 1        | 0       | OWN
            without pods it sleeps            |       | true  | false | false  | 0        | 0       | POOL
            rarely called, it stays there     |       | true  | false | true   | 0        | 0       | POOL
            often called, its pod starts      |       | true  | true  | true   | 0        | 0       | POOL_WHILE_STARTING
            its pod is ready                  |       | true  | true  | true   | 1        | 0       | OWN
            a minimum wakes it                |       | true  | false | true   | 0        | 1       | POOL_WHILE_STARTING
            with a minimum it never sleeps    |       | true  | false | false  | 0        | 1       | OWN
            a pool that is down takes nothing |       | false | false | false  | 0        | 0       | OWN
            a pool that went down gives back  |       | false | true  | true   | 0        | 0       | OWN
            a step is left out                | step  | true  | false | true   | 0        | 0       | OWN
            """)
    void decides(
            String scenario,
            String unfit,
            boolean ready,
            boolean often,
            boolean sleeps,
            int replicas,
            int minimum,
            Place place) {
        var facts = new Facts(Optional.ofNullable(unfit), ready, often, sleeps, replicas, minimum);

        assertThat(WakeDecision.decide(facts).place()).isEqualTo(place);
        assertThat(WakeDecision.decide(facts).reason()).isNotBlank();
    }
}
