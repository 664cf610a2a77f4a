package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.client.Address;
import io.knabla.controller.cli.client.FunctionRoot;
import io.knabla.controller.cli.client.Platform;
import io.knabla.controller.cli.kube.KubeContext;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;

/** To a function on a cluster as its callers reach it: by its URL, past the controller. */
final class DataPath {
    private final Context context;
    private final KubeContext cluster;

    DataPath(Context context, KubeContext cluster) {
        this.context = context;
        this.cluster = cluster;
    }

    /** @param flag the ingress that was named, or null */
    FunctionRoot to(String name, String flag) {
        Optional<String> ingress = Optional.ofNullable(flag)
                .or(() -> Settings.ofProcess().find("ingress"))
                .map(typed -> Platform.checked("--ingress", typed));
        String url = url(name);
        if (ingress.isEmpty()) {
            mustResolve(url);
        }
        String address = withoutSlash(ingress.orElse(url));
        // The controller's token is not for functions.
        var sender = new Platform(new Route(address), Optional.empty(), context.console(), context.options().verbose);
        Map<String, String> headers =
                ingress.isPresent() ? Map.of("Host", URI.create(url).getRawAuthority()) : Map.of();
        return new FunctionRoot(sender, address, headers);
    }

    private String url(String name) {
        String namespace = context.namespace();
        JsonNode function = cluster.functions()
                .find(namespace, name)
                .orElseThrow(() -> CliFailure.failed(
                        "there is no function '%s' in namespace '%s' of"
                                + " context '%s'; deploy it, or correct the"
                                + " name.",
                        name, namespace, cluster.name()));
        String url = function.path("status").path("url").asText();
        if (url.isEmpty()) {
            throw CliFailure.failed(
                    "%s/%s has no URL yet. See why: ./knabla describe %s -n %s --context %s",
                    namespace, name, name, namespace, cluster.name());
        }
        return url;
    }

    private static void mustResolve(String url) {
        String host = URI.create(url).getHost();
        try {
            InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw CliFailure.because(
                    unknown,
                    "the name %s resolves nowhere from here. Name the cluster's ingress instead, as in"
                            + " --ingress http://127.0.0.1:8080 or KNABLA_INGRESS; kubectl get service"
                            + " -A shows where it listens.",
                    host);
        }
    }

    /** Where calls of functions go in. */
    private record Route(String url) implements Address {
        @Override
        public void lookAgain() {}

        @Override
        public String broken(String why) {
            return "no ingress answers at %s (%s). Correct --ingress or KNABLA_INGRESS; kubectl get service -A shows where it listens."
                    .formatted(url, why);
        }
    }

    private static String withoutSlash(String address) {
        return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }
}
