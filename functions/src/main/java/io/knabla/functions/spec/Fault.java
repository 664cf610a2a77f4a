package io.knabla.functions.spec;

/**
 * One thing that is wrong with an input.
 *
 * @param path where, as in {@code spec.scaling.min}; "" for the whole
 * @param message what was found, what is allowed, what to do
 */
public record Fault(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
