package io.knabla.storage.s3.parts;

import io.knabla.storage.ObjectKey;
import java.util.Map;
import software.amazon.awssdk.services.s3.model.Part;

/**
 * An upload that is not complete.
 *
 * @param parts what had arrived when it was looked at, by number
 */
record Unfinished(ObjectKey key, String id, Map<Integer, Part> parts) {

    /** Whether every part is one of the plan's. */
    boolean isCutBy(PartPlan plan) {
        return parts.values().stream()
                .allMatch(part -> part.partNumber() <= plan.parts() && part.size() == plan.length(part.partNumber()));
    }
}
