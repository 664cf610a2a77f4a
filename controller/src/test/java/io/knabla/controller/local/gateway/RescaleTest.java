package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests changed scaling bounds of a running version, and a placement that no node satisfies, over real processes. */
@Timeout(300)
class RescaleTest {
    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(16 << 20, 1 << 20, 32 << 20, 3));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void aVersionFollowsItsNewBoundsAndItsReplicasGoOn() {
        knabla.deploy("digits", Specs.inference().scaling(1, 3, 4, Duration.ofMillis(1)));
        await().until(() -> knabla.replicas("digits", State.READY).size() == 1);
        String first = knabla.replicas("digits", State.READY).getFirst().id();

        rescale(Specs.inference().scaling(2, 3, 4, Duration.ofMillis(1)));

        await().until(() -> knabla.replicas("digits", State.READY).size() == 2);
        assertThat(knabla.replicas("digits", State.READY))
                .anyMatch(replica -> replica.id().equals(first));

        rescale(Specs.inference().scaling(0, 3, 4, Duration.ofMillis(1)));

        await().until(() -> knabla.replicas("digits", State.READY).isEmpty());
    }

    private void rescale(Specs wanted) {
        knabla.catalog.update(Specs.id("digits"), current -> {
            FunctionRecord before = current.orElseThrow();
            Version version = wanted.version(1, before.latest().created());
            return new FunctionRecord(before.id(), List.of(version), List.of(), "");
        });
    }

    /** One request that takes twice what a replica has, as one for several texts may. */
    @Test
    void aReplicaThatReportsMoreThanItsRequestsTellGetsOthersBeside() throws Exception {
        knabla.deploy("digits", Specs.inference().scaling(0, 3, 4, Duration.ofMinutes(5)));

        knabla.send(knabla.infer("digits").header("Standin-Do", "report-utilization 200"));

        await().until(() -> knabla.replicas("digits", State.READY).size() == 3);
    }

    @Test
    void rejectsAtOnceWhenNoNodeHasAGpu() throws Exception {
        knabla.deploy("digits", Specs.inference().resources(new Resources(Optional.empty(), Optional.empty(), 1)));

        var answer = knabla.send(knabla.infer("digits"));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("no node has pool gpu", "gpu: 0");
    }
}
