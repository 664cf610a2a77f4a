package io.knabla.storage.s3.parts;

import io.knabla.storage.ObjectKey;
import java.util.Map;
import software.amazon.awssdk.services.s3.model.Part;

/**
 * An incomplete multipart upload.
 *
 * @param parts the stored parts by number, when they were listed
 */
record PendingUpload(ObjectKey key, String id, Map<Integer, Part> parts) {

    /** Returns whether every part has the number and size of the plan. */
    boolean matches(PartPlan plan) {
        return parts.values().stream()
                .allMatch(part -> part.partNumber() <= plan.parts() && part.size() == plan.length(part.partNumber()));
    }
}
