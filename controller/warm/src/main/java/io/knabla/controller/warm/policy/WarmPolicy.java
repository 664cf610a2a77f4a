package io.knabla.controller.warm.policy;

/** A rule that decides how long idle replicas are kept. Makes one {@link FunctionPolicy} for each function. */
public interface WarmPolicy {
    /** As the command line and {@link SavedState} write it. */
    String name();

    /** Without any history. */
    FunctionPolicy forFunction(FunctionProfile profile);
}
