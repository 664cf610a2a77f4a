package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.usage.ReplicaInterval;
import java.util.Comparator;

/** A version of a function. */
public record FunctionVersion(String namespace, String function, int version) implements Comparable<FunctionVersion> {
    private static final Comparator<FunctionVersion> ORDER = Comparator.comparing(FunctionVersion::namespace)
            .thenComparing(FunctionVersion::function)
            .thenComparing(FunctionVersion::version);

    public static FunctionVersion of(ReplicaInterval replica) {
        return new FunctionVersion(replica.namespace(), replica.function(), replica.version());
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
