package io.knabla.controller.warm.policy;

import java.util.List;

/**
 * When an idle replica is kept, and when one is started ahead of the next request.
 *
 * @param windows ascending and apart; a first window that begins at the time of the decision keeps the replica, every
 *     other one starts a replica that is ready at its begin. Empty releases the replica. All are dropped at the next
 *     request.
 */
public record Decision(List<Window> windows, Reason reason) {
    public Decision {
        windows = List.copyOf(windows);
        for (int i = 1; i < windows.size(); i++) {
            if (windows.get(i).from() <= windows.get(i - 1).until()) {
                throw new IllegalArgumentException("windows overlap or are not ascending: " + windows);
            }
        }
    }

    public static Decision of(Window window, Reason reason) {
        return new Decision(List.of(window), reason);
    }

    static Decision release(Reason reason) {
        return new Decision(List.of(), reason);
    }

    /** What holds for replicas beyond the first: they may be kept, but none is started ahead of a request. */
    public Decision withoutStarts(long now) {
        return new Decision(
                windows.stream().filter(window -> window.from() <= now).toList(), reason);
    }
}
