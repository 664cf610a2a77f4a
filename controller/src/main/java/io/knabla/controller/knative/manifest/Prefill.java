package io.knabla.controller.knative.manifest;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.spec.FunctionSpec;
import java.util.Map;

/** How a function whose prompts another one reads finds it, and is let through to it. */
public final class Prefill {
    /** Of pods that call another function; its value is that function. */
    private static final String LABEL = "knabla.dev/prefill";

    private Prefill() {}

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
