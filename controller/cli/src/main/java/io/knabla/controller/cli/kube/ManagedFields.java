package io.knabla.controller.cli.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Documents;
import java.util.Optional;

/** Rewrites {@code metadata.managedFields}, the API server's record of which manager owns which fields. */
final class ManagedFields {
    /** Manager name of client-side {@code kubectl apply}; it owns the fields it wrote until it removes them itself. */
    private static final String KUBECTL = "kubectl-client-side-apply";

    private ManagedFields() {}

    /**
     * Moves the fields of {@code kubectl apply} to a manager. The manager's next apply then removes fields that it no
     * longer sets, as kubectl's would. Empty if kubectl owns nothing.
     */
    static Optional<ArrayNode> takeOverFromKubectl(JsonNode owners, String manager) {
        ArrayNode left = Documents.JSON.createArrayNode();
        ObjectNode fields = Documents.JSON.createObjectNode();
        ObjectNode taken = null;
        for (JsonNode owner : owners) {
            boolean kubectls = is(owner, KUBECTL, "Update");
            if (kubectls || is(owner, manager, "Apply")) {
                add(fields, owner.path("fieldsV1"));
                taken = kubectls ? owner.deepCopy() : taken;
            } else {
                left.add(owner);
            }
        }
        if (taken == null) {
            return Optional.empty();
        }
        taken.put("manager", manager).put("operation", "Apply").set("fieldsV1", fields);
        return Optional.of(left.add(taken));
    }

    private static boolean is(JsonNode owner, String manager, String operation) {
        return owner.path("manager").asText().equals(manager)
                && owner.path("operation").asText().equals(operation)
                && owner.path("subresource").asText().isEmpty();
    }

    private static void add(ObjectNode fields, JsonNode more) {
        more.properties().forEach(field -> add(fields.withObjectProperty(field.getKey()), field.getValue()));
    }
}
