package io.knabla.controller.catalog;

/** Namespace and name of a function. */
public record FunctionId(String namespace, String name) {
    /** The id under which a tag of this function is called: Knative names a tag's URL so, and so does the gateway. */
    public FunctionId tagged(String tag) {
        return new FunctionId(namespace, tag + "-" + name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
