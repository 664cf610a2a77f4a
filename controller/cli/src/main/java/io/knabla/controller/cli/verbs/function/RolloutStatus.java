package io.knabla.controller.cli.verbs.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.knative.resource.Reason;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Progress of a function towards its newest spec, derived from its status; the same for clusters and the control API.
 */
public sealed interface RolloutStatus {
    record Ready() implements RolloutStatus {}

    /** @param sentence what the function waits for */
    record InProgress(String sentence) implements RolloutStatus {}

    /** The function does not become ready until somebody fixes the cause. */
    record Failed(String reason, String sentence) implements RolloutStatus {}

    /** @param generation of the spec to wait for; a status of an older one counts as in progress */
    public static RolloutStatus of(JsonNode function, long generation) {
        JsonNode status = function.path("status");
        if (status.path("observedGeneration").asLong(0) < generation) {
            return new InProgress("waiting for the controller");
        }
        return failed(status.path("conditions"))
                .<RolloutStatus>map(failed -> failed)
                .orElseGet(() -> serves(status) ? new Ready() : inProgress(status));
    }

    /** Treats a missing model as in progress, for a caller that has just uploaded it. */
    default RolloutStatus afterModelUpload() {
        return this instanceof Failed(var reason, var _) && reason.equals(Reason.ModelMissing.name())
                ? new InProgress("waiting for the controller to see the model that was uploaded")
                : this;
    }

    /** The first condition that waiting does not resolve, if any. */
    public static Optional<Failed> failed(JsonNode conditions) {
        return all(conditions)
                .filter(condition -> condition.path("status").asText().equals("False"))
                .filter(condition -> Reason.find(condition.path("reason").asText())
                        .filter(Reason::isFinal)
                        .isPresent())
                .map(condition -> new Failed(
                        condition.path("reason").asText(),
                        condition.path("message").asText()))
                .findFirst();
    }

    /**
     * Whether a version gets requests: a share of spec.traffic, or all of them if there is no spec.traffic and it is
     * the newest.
     */
    public static boolean receivesRequests(JsonNode function, int version) {
        JsonNode traffic = function.path("spec").path("traffic");
        return traffic.isEmpty()
                || all(traffic)
                        .filter(target -> target.path("percent").asInt() > 0)
                        .anyMatch(target -> target.path("version").asInt() == version
                                || target.path("latest").asBoolean());
    }

    /** True only if the newest version is ready; an older one may serve until then. */
    private static boolean serves(JsonNode status) {
        return status.path("readyVersion").asInt()
                        >= status.path("latestVersion").asInt()
                && all(status.path("conditions"))
                        .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                                && condition.path("status").asText().equals("True"));
    }

    private static InProgress inProgress(JsonNode status) {
        return all(status.path("conditions"))
                .filter(condition -> !condition.path("status").asText().equals("True"))
                .findFirst()
                .map(condition -> new InProgress(sentence(condition)))
                .orElse(new InProgress("waiting for the controller"));
    }

    private static Stream<JsonNode> all(JsonNode conditions) {
        return StreamSupport.stream(conditions.spliterator(), false);
    }

    private static String sentence(JsonNode condition) {
        String message = condition.path("message").asText();
        String reason = condition.path("reason").asText();
        return message.isEmpty() ? reason : reason + ": " + message;
    }
}
