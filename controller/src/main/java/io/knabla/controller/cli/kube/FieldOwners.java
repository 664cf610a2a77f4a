package io.knabla.controller.cli.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Documents;
import java.util.Optional;

/** Who owns which fields of an object ({@code metadata.managedFields}), as an API server reckons. */
final class FieldOwners {
    /** A field that {@code kubectl apply} wrote is its own until it takes it away itself. */
    private static final String KUBECTL = "kubectl-client-side-apply";

    private FieldOwners() {}

    /**
     * All that {@code kubectl apply} owns becomes a manager's, so that what the manager applies next is the whole wish,
     * as it would be kubectl's; empty where kubectl owns nothing.
     */
    static Optional<ArrayNode> takenOver(JsonNode owners, String manager) {
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
