package io.knabla.controller.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.knative.resource.Reason;
import java.util.ArrayList;
import java.util.List;

/** Finds functions of a running platform whose documents in its catalog are damaged. */
public record FunctionsCheck(PlatformClient platform) {
    private static final String FUNCTIONS = "functions";

    public Finding finding() {
        try {
            return finding(platform.get("/functions").path("items"));
        } catch (CliFailure unanswered) {
            // Whether a platform runs is for other checks.
            return Finding.good(FUNCTIONS, "not checked: " + unanswered.getMessage());
        }
    }

    private static Finding finding(JsonNode functions) {
        List<String> sentences = new ArrayList<>();
        for (JsonNode function : functions) {
            for (JsonNode condition : function.path("conditions")) {
                if (condition.path("reason").asText().equals(Reason.CatalogDamaged.name())) {
                    sentences.add(condition.path("message").asText());
                }
            }
        }
        return sentences.isEmpty()
                ? Finding.good(FUNCTIONS, "the documents of all %d are whole".formatted(functions.size()))
                : Finding.bad(
                        FUNCTIONS,
                        "%d of %d cannot be called: %s"
                                .formatted(sentences.size(), functions.size(), String.join("; ", sentences)),
                        "restore the documents from a backup of the store, or delete these functions and deploy them"
                                + " again");
    }
}
