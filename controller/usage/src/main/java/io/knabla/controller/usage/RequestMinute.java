package io.knabla.controller.usage;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Requests of one replica in one minute.
 *
 * @param replica {@link ReplicaInterval#id} of the replica
 * @param minute start of the minute, a whole one of UTC
 */
public record RequestMinute(String namespace, String function, int version, String replica, Instant minute, Work work) {
    public RequestMinute {
        if (!minute.equals(minute.truncatedTo(ChronoUnit.MINUTES))) {
            throw new IllegalArgumentException(
                    "a minute starts at second 0, but this one at %s; truncate it".formatted(minute));
        }
    }
}
