package io.knabla.controller.knative.manifest;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.spec.FunctionSpec;
import java.util.Map;

/** Environment variables and labels of the pods of a function whose prompts another function reads (prefill). */
public final class PrefillPods {
    /** Of pods that call another function; its value is that function. */
    private static final String LABEL = "knabla.dev/prefill";

    private PrefillPods() {}

    /** Variables of its replicas. The other function is called by the name of its Route, as every pod can call it. */
    public static Map<String, String> environment(FunctionId function, FunctionSpec spec) {
        return ReplicaEnvironment.ofPrefill(spec, name -> "http://%s.%s.svc".formatted(name, function.namespace()), "");
    }

    static Map<String, String> labels(FunctionSpec spec) {
        return spec.generation()
                .prefill()
                .map(prefill -> Map.of(LABEL, prefill.function()))
                .orElse(Map.of());
    }
}
