package io.knabla.controller.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Documents;
import java.util.ArrayList;
import java.util.List;

/** Writes a traffic split of a request as {@code 1=90 latest=10@canary}. */
final class PresentTrafficText {
    private PresentTrafficText() {}

    /** @param json with the split at {@code traffic} or {@code spec.traffic} */
    static String of(String json) {
        try {
            JsonNode root = Documents.JSON.readTree(json);
            List<String> parts = new ArrayList<>();
            for (JsonNode target : root.has("traffic") ? root.path("traffic") : root.at("/spec/traffic")) {
                String tag = target.has("tag") ? "@" + target.path("tag").asText() : "";
                parts.add(target.path("version").asText("latest") + "="
                        + target.path("percent").asText() + tag);
            }
            return String.join(" ", parts);
        } catch (JsonProcessingException broken) {
            throw new AssertionError(json, broken);
        }
    }
}
