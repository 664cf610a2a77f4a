package io.knabla.controller.cli.verbs.invoke;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.client.Address;
import io.knabla.controller.cli.client.FunctionEndpoint;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.cli.verbs.context.Context;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the endpoint of a function on a cluster: its URL, or the ingress with the function's Host header. Calls do not
 * pass the controller.
 */
final class FunctionEndpointResolver {
    private final Context context;
    private final KubeContext cluster;

    FunctionEndpointResolver(Context context, KubeContext cluster) {
        this.context = context;
        this.cluster = cluster;
    }

    /** @param flag value of {@code --ingress}, or null */
    FunctionEndpoint resolve(String name, String flag) {
        Optional<String> ingress = Optional.ofNullable(flag)
                .or(() -> Settings.ofProcess().find("ingress"))
                .map(typed -> PlatformClient.checkedUrl("--ingress", typed));
        JsonNode function = function(name);
        String url = url(name, function);
        if (ingress.isEmpty()) {
            mustResolve(url);
        }
        String address = withoutSlash(ingress.orElse(url));
        // Functions must not receive the controller's token.
        var sender = new PlatformClient(
                new IngressAddress(address), Optional.empty(), context.console(), context.options().verbose);
        Map<String, String> headers =
                ingress.isPresent() ? Map.of("Host", URI.create(url).getRawAuthority()) : Map.of();
        return new FunctionEndpoint(
                sender,
                address,
                headers,
                function.path("spec").path("servedName").asText(name));
    }

    private JsonNode function(String name) {
        String namespace = context.namespace();
        return cluster.functions()
                .find(namespace, name)
                .orElseThrow(() -> CliFailure.failed(
                        "there is no function '%s' in namespace '%s' of"
                                + " context '%s'; deploy it, or correct the"
                                + " name.",
                        name, namespace, cluster.name()));
    }

    private String url(String name, JsonNode function) {
        String namespace = context.namespace();
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
                    "the host name %s cannot be resolved from here. Name the cluster's ingress instead, as in"
                            + " --ingress http://127.0.0.1:8080 or KNABLA_INGRESS; kubectl get service"
                            + " -A shows where it listens.",
                    host);
        }
    }

    /** Address of the cluster's ingress or of a function. */
    private record IngressAddress(String url) implements Address {
        @Override
        public void refresh() {}

        @Override
        public String brokenMessage(String why) {
            return "no ingress answers at %s (%s). Correct --ingress or KNABLA_INGRESS; kubectl get service -A shows where it listens."
                    .formatted(url, why);
        }
    }

    private static String withoutSlash(String address) {
        return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }
}
