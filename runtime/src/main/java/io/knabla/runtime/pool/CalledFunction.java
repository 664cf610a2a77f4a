package io.knabla.runtime.pool;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the function that a request addresses by its Host header. Knative's ingress, activator and queue-proxy leave it
 * as the caller wrote it: {@code NAME.NAMESPACE.DOMAIN}, or {@code NAME.NAMESPACE.svc.cluster.local} inside the
 * cluster.
 */
final class CalledFunction {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");

    private CalledFunction() {}

    /** Empty for a host of another namespace, an address (probes have one) and no host at all. */
    static Optional<String> of(String host, String namespace) {
        if (host == null) {
            return Optional.empty();
        }
        int port = host.lastIndexOf(':');
        String name = (port < 0 ? host : host.substring(0, port)).toLowerCase(Locale.ROOT);
        String[] labels = name.split("\\.", 3);
        boolean known = labels.length > 1
                && !ADDRESS.matcher(name).matches()
                && labels[1].equals(namespace)
                && NAME.matcher(labels[0]).matches();
        return known ? Optional.of(labels[0]) : Optional.empty();
    }
}
