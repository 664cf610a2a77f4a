package io.knabla.runtime.paths;

import java.util.Optional;

/**
 * A path at a function's own root, {@code /functions/NAMESPACE/NAME}, or below it.
 *
 * @param rest of the path; begins with a slash unless it is empty
 */
public record FunctionPath(String namespace, String name, String rest) {
    /** How it is written, for a sentence. */
    public static final String GRAMMAR = "/functions/NAMESPACE/NAME/";

    private static final String ROOT = "/functions/";

    /** Whether a path can only be one of a function, well written or not. */
    public static boolean isOfFunctions(String path) {
        return path.startsWith(ROOT);
    }

    /** Reads a path of functions; empty if it names no function. */
    public static Optional<FunctionPath> of(String path) {
        int namespaceEnd = path.indexOf('/', ROOT.length());
        if (namespaceEnd < 0) {
            return Optional.empty();
        }
        int nameEnd = path.indexOf('/', namespaceEnd + 1);
        int end = nameEnd < 0 ? path.length() : nameEnd;
        return Optional.of(new FunctionPath(
                path.substring(ROOT.length(), namespaceEnd),
                path.substring(namespaceEnd + 1, end),
                path.substring(end)));
    }

    /** The root of a function. */
    public static String root(String namespace, String name) {
        return ROOT + namespace + "/" + name;
    }
}
