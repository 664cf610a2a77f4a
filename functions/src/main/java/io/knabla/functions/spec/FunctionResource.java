package io.knabla.functions.spec;

/** One {@code function.yaml}, the same on a laptop and in {@code kubectl apply}: name and wish. */
public record FunctionResource(String namespace, String name, FunctionSpec spec) {
    public static final String API_VERSION = "knabla.dev/v1alpha1";
    public static final String KIND = "Function";
}
