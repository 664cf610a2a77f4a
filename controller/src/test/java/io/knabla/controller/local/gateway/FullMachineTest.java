package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Unavailable;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.SpotTimeout;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests first calls while all slots of the machine are taken: two nodes with eight slots each. */
@Timeout(300)
class FullMachineTest {
    private static final int SLOTS = 16;

    /** The longest with which replicas run on spot nodes too. */
    private static final Duration LONG = SpotTimeout.LONGEST;

    @TempDir
    Path home;

    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 100));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @Test
    void idleReplicasMakeRoomForFirstCalls() throws Exception {
        Specs specs = Specs.inference().timeout(LONG).scaling(0, 2, 4, Duration.ofMinutes(5));
        knabla.deploy("first", specs);
        // Its unit is proven then: the others start on their first call only.
        assertThat(knabla.send(knabla.infer("first")).statusCode()).isEqualTo(200);
        List<String> names =
                IntStream.range(0, SLOTS + 6).mapToObj(i -> "function-" + i).toList();
        names.forEach(name -> knabla.deploy(name, specs));

        List<CompletableFuture<HttpResponse<String>>> calls =
                names.stream().map(name -> knabla.sendAsync(knabla.infer(name))).toList();

        assertThat(calls).allSatisfy(call -> {
            HttpResponse<String> answer = call.join();
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        });
    }

    @Test
    void anIdleReplicaMakesRoomForADeploy() throws Exception {
        Specs specs = Specs.inference().timeout(LONG).scaling(0, 2, 4, Duration.ofMinutes(5));
        for (int i = 0; i < SLOTS; i++) {
            knabla.deploy("function-" + i, specs);
            assertThat(knabla.send(knabla.infer("function-" + i)).statusCode()).isEqualTo(200);
        }

        knabla.deployAgain("function-3", specs);

        await().until(() ->
                knabla.replicas("function-3", State.READY).stream().anyMatch(replica -> replica.version() == 2));
        assertThat(knabla.replicas("function-0", State.READY)).isEmpty();
    }

    @Test
    void aCallWaitsUntilItsOwnTimeoutIfAllReplicasAreNeeded() throws Exception {
        knabla.deploy("kept", Specs.inference().scaling(SLOTS, SLOTS, 4, Duration.ofMinutes(5)));
        await().until(() -> knabla.replicas("kept", State.READY).size() == SLOTS);
        knabla.deploy("late", Specs.inference().timeout(Duration.ofSeconds(3)));
        CompletableFuture<HttpResponse<String>> call = knabla.sendAsync(knabla.infer("late"));

        Unavailable why = await().until(
                        () -> knabla.autoscaler.unplaced(new VersionKey(Specs.id("late"), 1)),
                        java.util.Optional::isPresent)
                .orElseThrow();

        assertThat(why.message()).contains("all 16 slots of pool cpu are taken");
        assertThat(call.get().statusCode()).isEqualTo(504);
        assertThat(knabla.replicas("kept", State.READY)).hasSize(SLOTS);
    }
}
