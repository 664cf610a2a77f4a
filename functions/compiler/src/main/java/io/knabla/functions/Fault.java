package io.knabla.functions;

/**
 * One error in an input document, with its path.
 *
 * @param path path of the field, such as {@code spec.scaling.min}; "" for the whole document
 * @param message what was found, what is allowed, what to do
 */
public record Fault(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
