package io.knabla.controller.knative.wake;

import java.util.List;

/**
 * Namespaces that opted in.
 *
 * @param names of them; {@code *} for all
 */
record PoolNamespaces(List<String> names) {
    private static final String ALL = "*";

    PoolNamespaces {
        names = List.copyOf(names);
    }

    boolean has(String namespace) {
        return names.contains(ALL) || names.contains(namespace);
    }

    boolean isEmpty() {
        return names.isEmpty();
    }
}
