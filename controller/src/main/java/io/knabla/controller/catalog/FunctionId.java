package io.knabla.controller.catalog;

/** Namespace and name of a function. */
public record FunctionId(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
