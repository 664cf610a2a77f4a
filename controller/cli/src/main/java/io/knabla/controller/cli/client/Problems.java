package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import java.util.ArrayList;

/** Converts an error response of the platform into a {@link CliFailure}. */
public final class Problems {
    private Problems() {}

    /**
     * Reads all formats: problem+json of the control API, {@code {"error"}} of functions, and {@code {"error":
     * {"message"}}} of those that generate text.
     */
    public static CliFailure failure(PlatformResponse answer, String what, String server) {
        String type = answer.json().path("type").asText();
        return unexplained(answer, what, server)
                .explainedAt(type.startsWith("/") ? server.replaceFirst("/$", "") + type : "");
    }

    private static CliFailure unexplained(PlatformResponse answer, String what, String server) {
        JsonNode body = answer.json();
        var faults = new ArrayList<String>();
        for (JsonNode fault : body.path("faults")) {
            String path = fault.path("path").asText();
            faults.add(
                    (path.isEmpty() ? "" : path + ": ") + fault.path("message").asText());
        }
        String text = text(body, answer);
        // The headline often has the first fault; no fault is told twice.
        boolean told = !faults.isEmpty() && text.contains(faults.getFirst());
        if (faults.size() > 1) {
            return CliFailure.withFaults(told ? faults.size() + " things are wrong:" : text, faults);
        }
        if (faults.size() == 1 && !told) {
            return CliFailure.withFaults(text, faults);
        }
        return switch (answer.status()) {
            case 401, 403 ->
                CliFailure.failed(
                        "%s refuses this (%d): %s%nSet KNABLA_TOKEN to the platform's token.",
                        server, answer.status(), text);
            default -> CliFailure.failed("%s (%s: %d)", text, what, answer.status());
        };
    }

    /** Whether another server answered: Knabla's API answers in JSON; a proxy in front of it may fail in plain text. */
    static boolean isForeign(PlatformResponse answer) {
        boolean proxied = answer.status() / 100 == 5 && answer.status() != 501;
        return !proxied && !answer.body().isBlank() && answer.json().isMissingNode();
    }

    private static String text(JsonNode body, PlatformResponse answer) {
        String ofTexts = body.at("/error/message").asText();
        if (!ofTexts.isBlank()) {
            return ofTexts;
        }
        for (String key : new String[] {"detail", "error", "title"}) {
            if (body.path(key).isTextual() && !body.path(key).asText().isBlank()) {
                return body.path(key).asText();
            }
        }
        String raw = answer.body().strip();
        if (raw.startsWith("<")) {
            return "an HTML page came instead of an answer, perhaps from a proxy";
        }
        return raw.isEmpty()
                ? "the platform gave no reason"
                : raw.lines().findFirst().orElse(raw);
    }
}
