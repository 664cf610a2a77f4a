package io.knabla.controller.cli.verbs.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The traffic split of a function that is deployed.
 *
 * @param targets by versions' numbers
 * @param urls by tag, as far as the platform knows them
 */
public record PresentTraffic(List<TrafficTarget> targets, Map<String, String> urls) {
    /** Reads the API's view of a function, which names the version of every share. */
    public static PresentTraffic ofView(JsonNode view) {
        Map<String, String> urls = new LinkedHashMap<>();
        for (JsonNode target : view.path("traffic")) {
            if (target.has("url")) {
                urls.put(target.path("tag").asText(), target.path("url").asText());
            }
        }
        return new PresentTraffic(targets(view.path("traffic"), 0), urls);
    }

    /** Reads a Function resource, where {@code latest}, or no traffic at all, means the newest ready version. */
    public static PresentTraffic ofResource(JsonNode function) {
        JsonNode status = function.path("status");
        int latest =
                status.path("readyVersion").asInt(status.path("latestVersion").asInt());
        Map<String, String> urls = new LinkedHashMap<>();
        status.path("tags")
                .properties()
                .forEach(tag -> urls.put(tag.getKey(), tag.getValue().asText()));
        List<TrafficTarget> targets = targets(function.path("spec").path("traffic"), latest);
        return new PresentTraffic(targets.isEmpty() ? List.of(new TrafficTarget(latest, 100)) : targets, urls);
    }

    private static List<TrafficTarget> targets(JsonNode traffic, int latest) {
        List<TrafficTarget> targets = new ArrayList<>();
        for (JsonNode target : traffic) {
            targets.add(new TrafficTarget(
                    Optional.of(target.path("version").asInt(latest)),
                    false,
                    target.path("percent").asInt(),
                    Optional.ofNullable(target.get("tag")).map(JsonNode::asText)));
        }
        return targets;
    }
}
