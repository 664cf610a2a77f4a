package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the assembled platform knows after a restart what keep-warm had learned. */
@Timeout(600)
class WarmIT {
    /** As many pauses as keep-warm needs before it decides. */
    private static final int PAUSES = 10;

    private static final String UNKNOWN = "TOO_FEW_OBSERVATIONS";

    /** The test waits until no replica's process is left. */
    private static final Map<String, String> WITHOUT_POOL = Map.of("KNABLA_WARM_POOL_MAX", "0");

    @TempDir
    Path home;

    @Test
    void remembersWhatItLearned() throws Exception {
        try (var platform = PlatformProcess.start(home, WITHOUT_POOL)) {
            var client = new Client(platform.address());
            var model = new Models(home.resolve("models")).documented("warm");
            client.upload(model.digest(), model.file());
            client.deploy("add-sub", model.digest(), 60);
            for (int i = 0; i < PAUSES; i++) {
                call(client);
                await("it sleeps").until(() -> PlatformProcess.replicasOf(home).isEmpty());
                assertThat(client.keepWarmReason("add-sub")).isEqualTo(UNKNOWN);
            }
            call(client);
            await("it has learned").until(() -> !Set.of(UNKNOWN, "").contains(client.keepWarmReason("add-sub")));
        }
        try (var platform = PlatformProcess.start(home, WITHOUT_POOL)) {
            var client = new Client(platform.address());
            await("it has not forgotten").until(() -> !Set.of(UNKNOWN, "").contains(client.keepWarmReason("add-sub")));
        }
    }

    private static void call(Client client) throws Exception {
        assertThat(client.infer("add-sub", Models.REQUEST).statusCode()).isEqualTo(200);
    }
}
