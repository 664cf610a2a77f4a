package io.knabla.controller.catalog;

/** A function's name within its namespace. */
public record FunctionId(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
