package io.knabla.controller.local.gateway;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitManifest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Builds the Open Inference Protocol's metadata of a model from its unit's manifest. */
final class Metadata {
    static final String PLATFORM = "onnxruntime_onnx";

    private Metadata() {}

    static JsonObject of(String name, List<Integer> versions, UnitManifest manifest) {
        return new JsonObject()
                .put("name", name)
                .put(
                        "versions",
                        new JsonArray(versions.stream().map(String::valueOf).toList()))
                .put("platform", PLATFORM)
                .put("inputs", tensors(manifest.inputs()))
                .put("outputs", tensors(manifest.outputs()));
    }

    private static JsonArray tensors(List<TensorSpec> specs) {
        JsonArray tensors = new JsonArray();
        for (TensorSpec spec : specs) {
            tensors.add(new JsonObject()
                    .put("name", spec.name())
                    .put("datatype", spec.datatype().name())
                    .put("shape", new JsonArray(List.copyOf(spec.shape()))));
        }
        return tensors;
    }
}
