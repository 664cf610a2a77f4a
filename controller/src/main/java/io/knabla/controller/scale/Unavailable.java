package io.knabla.controller.scale;

import java.time.Duration;

/**
 * Reason why a version cannot answer now, and when to retry.
 *
 * @param kind for machines: the reason of the condition
 * @param message for people
 * @param retryAfter when a retry makes sense
 */
public record Unavailable(Kind kind, String message, Duration retryAfter) {
    public enum Kind {
        CrashLoop,
        /** Its replicas used more memory than the function declares. */
        OOMKilled,
        /** Its replicas lost their GPU, time after time. */
        DeviceLost,
        /** No free slot at present. */
        Unplaceable,
        /** No node of the required kind: waiting does not help. */
        PlacementFailed,
        /** The document of its function cannot be used. */
        CatalogDamaged,
        Gone
    }
}
