package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.ReplicaInterval;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of a function. */
public record FunctionVersion(String namespace, String function, int version) implements Comparable<FunctionVersion> {
    private static final Pattern TEXT = Pattern.compile("([^/]+)/(.+)@(\\d{1,9})");
    private static final Comparator<FunctionVersion> ORDER = Comparator.comparing(FunctionVersion::namespace)
            .thenComparing(FunctionVersion::function)
            .thenComparing(FunctionVersion::version);

    public static FunctionVersion of(ReplicaInterval replica) {
        return new FunctionVersion(replica.namespace(), replica.function(), replica.version());
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is not that of a version
     */
    public static FunctionVersion parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no version of a function, such as shop/resize@3".formatted(text));
        }
        return new FunctionVersion(parts.group(1), parts.group(2), Integer.parseInt(parts.group(3)));
    }

    /** Name of the function, which all of its versions share, such as {@code shop/resize}. */
    public String functionName() {
        return namespace + "/" + function;
    }

    @Override
    public int compareTo(FunctionVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return functionName() + "@" + version;
    }
}
