package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a function's status says about its newest wish, on a cluster and through the control API. */
sealed interface Verdict {
    record Ready() implements Verdict {}

    /** @param sentence what it waits for */
    record OnTheWay(String sentence) implements Verdict {}

    /** It will not become ready unless somebody does something. */
    record Failed(String reason, String sentence) implements Verdict {}

    String MODEL_MISSING = "ModelMissing";

    /** Reasons that time alone does not cure; of every kind of platform, and known nowhere else. */
    Set<String> FINAL = Set.of(
            "Invalid",
            MODEL_MISSING,
            "ModelRefused",
            "FeatureDisabled",
            "KnativeTooOld",
            "NameTaken",
            "Declined",
            "PlacementFailed",
            "ImagePullBackOff",
            "InvalidImageName",
            "PodRefused",
            "QuotaExceeded",
            "OOMKilled",
            "CrashLoop",
            "UnitMissing",
            "BucketMissing",
            "StoreForbidden");

    /** @param generation of the wish that matters; what is said of an older one is no news */
    static Verdict of(JsonNode function, long generation) {
        JsonNode status = function.path("status");
        if (status.path("observedGeneration").asLong(0) < generation) {
            return new OnTheWay("waiting for the controller");
        }
        return failed(status.path("conditions"))
                .<Verdict>map(failed -> failed)
                .orElseGet(() -> serves(status) ? new Ready() : onTheWay(status));
    }

    /** The same, by one who has just brought the model: what was said of it before is no news. */
    default Verdict withItsModel() {
        return this instanceof Failed(var reason, var _) && reason.equals(MODEL_MISSING)
                ? new OnTheWay("waiting for the controller to see the model that was uploaded")
                : this;
    }

    /** What no waiting cures, if anything. */
    static Optional<Failed> failed(JsonNode conditions) {
        return all(conditions)
                .filter(condition -> condition.path("status").asText().equals("False"))
                .filter(condition -> FINAL.contains(condition.path("reason").asText()))
                .map(condition -> new Failed(
                        condition.path("reason").asText(),
                        condition.path("message").asText()))
                .findFirst();
    }

    /** Whether a version has a share where the wish names any; the newest has all where it names none. */
    static boolean getsRequests(JsonNode function, int version) {
        JsonNode traffic = function.path("spec").path("traffic");
        return traffic.isEmpty()
                || all(traffic)
                        .anyMatch(target -> target.path("version").asInt() == version
                                && target.path("percent").asInt() > 0);
    }

    /** An older version may serve while the newest is made ready; that is not what was asked for. */
    private static boolean serves(JsonNode status) {
        return status.path("readyVersion").asInt()
                        >= status.path("latestVersion").asInt()
                && all(status.path("conditions"))
                        .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                                && condition.path("status").asText().equals("True"));
    }

    private static OnTheWay onTheWay(JsonNode status) {
        return all(status.path("conditions"))
                .filter(condition -> !condition.path("status").asText().equals("True"))
                .findFirst()
                .map(condition -> new OnTheWay(sentence(condition)))
                .orElse(new OnTheWay("waiting for the controller"));
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
