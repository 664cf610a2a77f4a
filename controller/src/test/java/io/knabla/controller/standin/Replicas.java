package io.knabla.controller.standin;

import io.knabla.controller.platform.Replica;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Makes replicas of version 1 of the function digits, without an address. */
public final class Replicas {
    private Replicas() {}

    public static Replica of(String id, String node, Replica.State state, Instant started) {
        return new Replica(
                id,
                Specs.id("digits"),
                1,
                Optional.empty(),
                node,
                state,
                Optional.empty(),
                "",
                Map.of(),
                started,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }
}
