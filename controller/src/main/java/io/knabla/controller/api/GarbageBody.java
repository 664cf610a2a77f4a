package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Options of a garbage collection, all optional: {@code {"grace": "24h", "dryRun": true}}. */
record GarbageBody(Duration grace, boolean dryRun) {
    private static final String GRACE = "grace";
    private static final String DRY_RUN = "dryRun";

    static GarbageBody parse(String body, Duration otherwise) {
        if (body.isBlank()) {
            return new GarbageBody(otherwise, false);
        }
        JsonNode tree = Bodies.object(body);
        List<Fault> faults = new ArrayList<>();
        tree.fieldNames().forEachRemaining(key -> {
            if (!key.equals(GRACE) && !key.equals(DRY_RUN)) {
                faults.add(new Fault(key, "unknown key; known are dryRun, grace"));
            }
        });
        Duration grace = grace(tree.path(GRACE), otherwise, faults);
        JsonNode dryRun = tree.path(DRY_RUN);
        if (!dryRun.isMissingNode() && !dryRun.isBoolean()) {
            faults.add(new Fault(DRY_RUN, "must be true or false, was " + dryRun));
        }
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return new GarbageBody(grace, dryRun.asBoolean(false));
    }

    private static Duration grace(JsonNode value, Duration otherwise, List<Fault> faults) {
        if (value.isMissingNode()) {
            return otherwise;
        }
        return Durations.parse(value.asText()).filter(_ -> value.isTextual()).orElseGet(() -> {
            faults.add(new Fault(GRACE, "must be a duration such as 24h, 30m or 0s, was " + value));
            return otherwise;
        });
    }
}
