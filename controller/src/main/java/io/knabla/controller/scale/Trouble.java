package io.knabla.controller.scale;

import java.time.Duration;

/**
 * Why a version cannot answer now.
 *
 * @param kind for machines: the condition's reason
 * @param message for people
 * @param retryAfter when another try makes sense
 */
public record Trouble(Kind kind, String message, Duration retryAfter) {
    public enum Kind {
        CrashLoop,
        /** No room at present. */
        Unplaceable,
        /** No node of that kind: waiting changes nothing. */
        PlacementFailed,
        Gone
    }
}
