package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Turns condition results into Kubernetes conditions; {@code lastTransitionTime} changes only with the status. */
final class Conditions {
    /** Longest condition message that the API server accepts, in characters. */
    private static final int LONGEST = 32_768;

    private final Optional<FunctionObjectStatus> before;
    private final long generation;
    private final Instant now;

    Conditions(Optional<FunctionObjectStatus> before, long generation, Instant now) {
        this.before = before;
        this.generation = generation;
        this.now = now;
    }

    Condition of(String type, ConditionResult verdict) {
        String status = verdict.truth().name();
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(verdict.reason())
                .withMessage(shortened(verdict.message()))
                .withObservedGeneration(generation)
                .withLastTransitionTime(find(before, type)
                        .filter(last -> last.getStatus().equals(status))
                        .map(Condition::getLastTransitionTime)
                        .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString()))
                .build();
    }

    static Optional<Condition> find(Optional<FunctionObjectStatus> status, String type) {
        return status.map(FunctionObjectStatus::conditions).filter(Objects::nonNull).stream()
                .flatMap(List::stream)
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
    }
}
