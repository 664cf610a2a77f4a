package io.knabla.controller.knative.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;

/** Parses Function objects of the API server; reports faults in the same sentences as the command line. */
final class FunctionParser {
    private FunctionParser() {}

    /** Keeps only name and namespace of the metadata: Kubernetes adds fields that the parser would reject. */
    static Parsed parse(FunctionObject function) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("apiVersion", FunctionResource.API_VERSION);
        document.put("kind", FunctionResource.KIND);
        document.putObject("metadata")
                .put("name", function.getMetadata().getName())
                .put("namespace", function.getMetadata().getNamespace());
        document.set("spec", function.getSpec());
        return FunctionYaml.parse(document.toString());
    }

    static FunctionId id(FunctionObject function) {
        return new FunctionId(
                function.getMetadata().getNamespace(), function.getMetadata().getName());
    }

    /** Whether both specs are equal apart from traffic. */
    static boolean equalIgnoringTraffic(FunctionSpec one, FunctionSpec other) {
        return withoutTraffic(one).equals(withoutTraffic(other));
    }

    private static ObjectNode withoutTraffic(FunctionSpec spec) {
        ObjectNode json = FunctionYaml.specToJson(spec);
        json.remove("traffic");
        return json;
    }
}
