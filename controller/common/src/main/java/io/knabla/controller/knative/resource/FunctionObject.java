package io.knabla.controller.knative.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** Custom resource {@code Function}; its spec is a JSON tree that {@code FunctionYaml} parses. */
@Group(Labels.GROUP)
@Version("v1alpha1")
@Kind("Function")
@Plural("functions")
@ShortNames("fn")
public class FunctionObject extends CustomResource<JsonNode, FunctionObjectStatus> implements Namespaced {
    private static final long serialVersionUID = 1;

    @Override
    protected JsonNode initSpec() {
        return JsonNodeFactory.instance.objectNode();
    }
}
