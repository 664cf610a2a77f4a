package io.knabla.functions.spec;

/**
 * One Function resource: namespace, name and spec, the same in a local {@code function.yaml} and in {@code kubectl
 * apply}.
 */
public record FunctionResource(String namespace, String name, FunctionSpec spec) {
    public static final String API_VERSION = "knabla.dev/v1alpha1";
    public static final String KIND = "Function";
}
