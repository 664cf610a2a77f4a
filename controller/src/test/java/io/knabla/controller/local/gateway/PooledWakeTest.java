package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a caller is told about a start from the pool. */
@Timeout(300)
class PooledWakeTest {
    @TempDir
    Path home;

    @Test
    void saysPooledWithThePhases() throws Exception {
        try (var knabla =
                new GatewayFixture(home, GatewaySettings.DEFAULT, StandInCluster.open(home, new PoolSize(1, 1)))) {
            knabla.deploy("digits", Specs.inference().scaling(0, 2, 4, Duration.ofMillis(300)));
            await().until(() -> knabla.replicas("digits", State.STOPPED).size() == 1
                    && knabla.replicas("digits", State.READY).isEmpty()
                    && knabla.cluster.pool().idle().size() == 1);

            HttpResponse<String> woken = knabla.send(knabla.infer("digits"));

            assertThat(woken.statusCode()).isEqualTo(200);
            assertThat(woken.headers().firstValue("Knabla-Start")).hasValue("pooled");
            assertThat(woken.headers().firstValue("Server-Timing").orElseThrow())
                    .contains("place;dur=", "fetch;dur=1.0", "boot;dur=", "load;dur=3.0", "infer;dur=2");
        }
    }
}
