package io.knabla.runtime;

import java.util.Map;

/** Repeats {@link HostileClientsIT} on a replica that requires a token. */
class HostileClientsWithTokenIT extends HostileClientsIT {
    @Override
    Door door() {
        return new Door(
                "a replica with a token", "Knabla-Replica-Token: secret\r\n", Map.of("KNABLA_REPLICA_TOKEN", "secret"));
    }
}
