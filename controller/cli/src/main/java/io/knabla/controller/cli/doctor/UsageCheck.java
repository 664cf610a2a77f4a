package io.knabla.controller.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;

/** Finds damaged and missing usage of a running platform, whose costs are then reported too low. */
public record UsageCheck(PlatformClient platform) {
    private static final String USAGE = "usage";

    public Finding finding() {
        try {
            return finding(platform.get("/costs/damages").path("items"));
        } catch (CliFailure unanswered) {
            // Whether a platform runs is for other checks.
            return Finding.good(USAGE, "not checked: " + unanswered.getMessage());
        }
    }

    private static Finding finding(JsonNode damages) {
        JsonNode first = damages.path(0);
        return damages.isEmpty()
                ? Finding.good(USAGE, "whole")
                : Finding.poor(
                        USAGE,
                        "%d parts are damaged or missing, so reports of costs lack their rows: %s: %s"
                                .formatted(
                                        damages.size(),
                                        first.path("name").asText(),
                                        first.path("detail").asText()),
                        "restore them from a backup of the store, or of usage/ in the platform's home");
    }
}
