package io.knabla.functions.spec;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What callers see of a model beyond its file: its name, how they reach it, and what the file leaves open.
 *
 * @param servedName the model's name in the Open Inference Protocol; empty for the function's name
 * @param grpc whether gRPC clients reach it on a cluster, where that is a property of the pod's port; a laptop serves
 *     it anyway
 * @param shapes shapes of inputs and outputs by name, in place of those in the file; -1 for a variable size
 * @param optionalInputs initializers of the model that a request may override
 */
public record ModelInterface(
        Optional<String> servedName, boolean grpc, Map<String, List<Integer>> shapes, List<String> optionalInputs) {
    /** No model's name: its metadata would be at the path of the statistics of all models. */
    static final String RESERVED = "stats";

    /** A model that describes itself and is served under the function's name. */
    public static final ModelInterface NONE = new ModelInterface(Optional.empty(), false, Map.of(), List.of());

    /** Whether a unit of a model with this interface is one of the same model with the other. */
    public boolean isPackagedAs(ModelInterface other) {
        return shapes.equals(other.shapes) && optionalInputs.equals(other.optionalInputs);
    }

    public ModelInterface {
        shapes = Map.copyOf(shapes);
        optionalInputs = List.copyOf(optionalInputs);
    }
}
