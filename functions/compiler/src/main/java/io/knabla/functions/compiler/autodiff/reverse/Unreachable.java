package io.knabla.functions.compiler.autodiff.reverse;

/** What becomes of the gradient of a value that the result does not depend on. */
public enum Unreachable {
    /** It is zero, as mathematics has it. */
    ZERO,
    /** It is a mistake of the caller. */
    REFUSE
}
