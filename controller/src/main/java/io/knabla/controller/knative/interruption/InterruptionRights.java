package io.knabla.controller.knative.interruption;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.knative.calls.ApiCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Whether this controller's account may make the calls that move replicas: asked twice a minute, so that a missing
 * right is told before a node is taken back. One thread at a time.
 */
final class InterruptionRights {
    static final Duration PERIOD = Duration.ofSeconds(30);

    private static final System.Logger LOG = System.getLogger(InterruptionRights.class.getName());
    private static final String BUDGETS = "poddisruptionbudgets";

    /**
     * Of {@link InterruptionCalls} and {@link DrainBudgets}; without the reading of Leases a node is only lost later.
     */
    private static final List<ApiCall> NEEDED = List.of(
            new ApiCall("get", "", "nodes"),
            new ApiCall("patch", "", "nodes"),
            new ApiCall("create", "", "pods/eviction"),
            new ApiCall("create", "policy", BUDGETS),
            new ApiCall("delete", "policy", BUDGETS));

    private final Predicate<ApiCall> isAllowed;
    private Instant next = Instant.MIN;
    private volatile Optional<String> refusal = Optional.empty();

    /** @param isAllowed asks the API server */
    InterruptionRights(Predicate<ApiCall> isAllowed) {
        this.isAllowed = isAllowed;
    }

    /** What is refused, what follows and what to do; empty if nothing is. */
    Optional<String> refusal() {
        return refusal;
    }

    /** The next round asks, even if the last one did. */
    void askAgain() {
        next = Instant.MIN;
    }

    /** Returns whether the answer changed. */
    boolean round(Instant now) {
        if (now.isBefore(next)) {
            return false;
        }
        next = now.plus(PERIOD);
        Optional<String> before = refusal;
        refusal = Optional.of(NEEDED.stream().filter(isAllowed.negate()).toList())
                .filter(refused -> !refused.isEmpty())
                .map(InterruptionRights::sentence);
        if (refusal.equals(before)) {
            return false;
        }
        refusal.ifPresentOrElse(
                sentence -> LOG.log(WARNING, sentence),
                () -> LOG.log(INFO, "the controller's account may move replicas off nodes that are taken back again"));
        return true;
    }

    private static String sentence(List<ApiCall> refused) {
        return "the controller's account may not %s, so replicas stay on nodes that are taken back until these end; 'kubectl apply -k' of the overlay that installed Knabla grants it, and './knabla doctor --context' checks it"
                .formatted(refused.stream()
                        .map(call -> call.verb() + " " + call.resource())
                        .collect(Collectors.joining(", ")));
    }
}
