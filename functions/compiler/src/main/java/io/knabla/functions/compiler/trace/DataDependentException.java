package io.knabla.functions.compiler.trace;

import java.util.Optional;
import java.util.Set;

/**
 * Reports Java code that reads a value or an open size while its function is traced. A trace is recorded once for all
 * inputs, so decisions that depend on their values must use tensor operations.
 */
public final class DataDependentException extends RuntimeException {
    private static final Set<Class<?>> OURS = Set.of(
            DataDependentException.class,
            Elementwise.class,
            Gradients.class,
            Layers.class,
            Operation.class,
            Recording.class,
            ShapeOperations.class,
            Tensor.class,
            Trace.class,
            Traced.class,
            EagerScan.class);

    private DataDependentException(String message) {
        super(message);
    }

    static DataDependentException reading(String how, String what) {
        return new DataDependentException("""
                %s reads %s with %s while its function is traced, before there are any values. \
                Use Tensor.where(condition, a, b) to choose between elements, \
                Trace.cond(condition, yes, no) to choose what is computed, \
                Trace.scan(state, sequences, step) to repeat something along an axis; \
                or read the value outside of the function, and give it as an argument.""".formatted(callSite(), what, how));
    }

    static DataDependentException size(int axis, String dim, String what) {
        return new DataDependentException("""
                %s asks for the size of axis %d of %s, which the signature leaves open as '%s'. \
                Fix the size in the signature, use -1 for it in reshape, \
                or compute with the tensor sizeOf(%d) instead.""".formatted(callSite(), axis, what, dim, axis));
    }

    /** The topmost line of user code on the stack. */
    static String callSite() {
        Optional<StackWalker.StackFrame> frame = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(DataDependentException::isUsers).findFirst());
        return frame.map(f -> "%s (line %d)".formatted(name(f), f.getLineNumber()))
                .orElse("the function");
    }

    private static boolean isUsers(StackWalker.StackFrame frame) {
        return !OURS.contains(frame.getDeclaringClass().getNestHost())
                && !frame.getClassName().startsWith("java.")
                && !frame.getClassName().startsWith("io.knabla.functions.compiler.onnx.");
    }

    private static String name(StackWalker.StackFrame frame) {
        return frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName();
    }
}
