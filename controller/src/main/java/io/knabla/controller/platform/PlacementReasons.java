package io.knabla.controller.platform;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Knows why each replica runs where it runs. Thread-safe. */
@Singleton
public final class PlacementReasons {
    private final Map<String, PlacementReason> reasons = new ConcurrentHashMap<>();

    /**
     * @param cause for machines: a cause of the spot policies, such as {@code HEDGE}
     * @param message for people
     */
    public record PlacementReason(String cause, String message) {}

    public void put(String replica, PlacementReason reason) {
        reasons.put(replica, reason);
    }

    public Optional<PlacementReason> of(String replica) {
        return Optional.ofNullable(reasons.get(replica));
    }

    public void retain(Collection<String> replicas) {
        reasons.keySet().retainAll(replicas);
    }
}
