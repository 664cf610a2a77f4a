package io.knabla.functions.compiler.autodiff.reverse;

/** Policy for a target that the result does not depend on. */
public enum UnreachablePolicy {
    /** Its gradient is zero. */
    ZERO,
    /** It is a fault of the request. */
    REFUSE
}
