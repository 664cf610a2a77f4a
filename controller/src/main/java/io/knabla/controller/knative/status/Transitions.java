package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the condition changes between two statuses that deserve a Kubernetes event. */
public final class Transitions {
    /**
     * One condition change, in the form of a Kubernetes event.
     *
     * @param type {@code Normal} or {@code Warning}
     * @param reason of the condition
     * @param message of the condition
     */
    public record Transition(String type, String reason, String message) {}

    private Transitions() {}

    /**
     * Returns changes in the order of the conditions; a condition that becomes Unknown is transient and no event.
     *
     * @param before null at first
     */
    public static List<Transition> between(FunctionObjectStatus before, FunctionObjectStatus after) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        return after.conditions().stream()
                .filter(condition -> changed(last, condition))
                .flatMap(Transitions::event)
                // One cause often makes two conditions False.
                .collect(Collectors.toMap(
                        event -> List.of(event.reason(), ConditionResult.cause(event.message())),
                        event -> event,
                        (first, _) -> first,
                        LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    private static boolean changed(Optional<FunctionObjectStatus> before, Condition now) {
        return Conditions.find(before, now.getType())
                .filter(last -> last.getStatus().equals(now.getStatus()))
                .filter(last -> last.getReason().equals(now.getReason()))
                .isEmpty();
    }

    private static Stream<Transition> event(Condition condition) {
        return switch (condition.getStatus()) {
            case "True" -> Stream.of(event(type(condition), condition));
            case "False" -> Stream.of(event("Warning", condition));
            default -> Stream.empty();
        };
    }

    private static String type(Condition good) {
        return good.getReason().equals(ReadyCondition.DEGRADED) ? "Warning" : "Normal";
    }

    private static Transition event(String type, Condition condition) {
        return new Transition(type, condition.getReason(), condition.getMessage());
    }
}
