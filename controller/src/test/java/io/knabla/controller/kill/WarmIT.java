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
    /** Pauses within which keep-warm has learned to decide; how many it takes depends on their lengths. */
    private static final int MOST_PAUSES = 30;

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
            client.deploy("add-sub", model.digest(), 60, "500ms");
            int pauses = 0;
            while (!hasLearned(client)) {
                assertThat(pauses++).isLessThan(MOST_PAUSES);
                call(client);
                await("it sleeps, or is kept")
                        .until(() -> PlatformProcess.replicasOf(home).isEmpty() || hasLearned(client));
            }
            assertThat(pauses).isGreaterThan(1);
        }
        try (var platform = PlatformProcess.start(home, WITHOUT_POOL)) {
            var client = new Client(platform.address());
            await("it has not forgotten").until(() -> hasLearned(client));
        }
    }

    private static boolean hasLearned(Client client) throws Exception {
        return !Set.of(UNKNOWN, "").contains(client.keepWarmReason("add-sub"));
    }

    private static void call(Client client) throws Exception {
        assertThat(client.infer("add-sub", Models.REQUEST).statusCode()).isEqualTo(200);
    }
}
