package io.knabla.controller.cluster.knative.diagnose;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is worth an event: a condition that became something else. */
public final class Transitions {
    /**
     * @param type {@code Normal} or {@code Warning}
     * @param reason the condition's
     * @param message the condition's, with its type where the reason does not tell
     */
    public record Transition(String type, String reason, String message) {}

    private Transitions() {}

    /**
     * In the order of the conditions; what is unknown is on its way to something, and no event.
     *
     * @param before null at first
     */
    public static List<Transition> between(FunctionObjectStatus before, FunctionObjectStatus after) {
        Optional<FunctionObjectStatus> last = Optional.ofNullable(before);
        return after.conditions().stream()
                .filter(condition -> changed(last, condition))
                .flatMap(Transitions::event)
                // One cause often makes two conditions false.
                .collect(Collectors.toMap(
                        event -> List.of(event.reason(), Readiness.cause(event.message())),
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
        return good.getReason().equals(Readiness.DEGRADED) ? "Warning" : "Normal";
    }

    private static Transition event(String type, Condition condition) {
        return new Transition(type, condition.getReason(), condition.getMessage());
    }
}
