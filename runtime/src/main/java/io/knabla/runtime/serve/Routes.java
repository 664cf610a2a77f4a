package io.knabla.runtime.serve;

import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ProtocolPath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Passes each request to the protocol that knows its path; the first one, if several do. */
final class Routes {
    private final ReplicaState state;
    private final Endpoints[] protocols;

    /** @param protocols those that are called most first; the probes follow them */
    Routes(ReplicaState state, List<Endpoints> protocols) {
        this.state = state;
        this.protocols = protocols.toArray(new Endpoints[protocols.size() + 1]);
        this.protocols[protocols.size()] = new ProbeEndpoints(state);
    }

    void loaded(ServedModel model) {
        for (Endpoints protocol : protocols) {
            protocol.loaded(model);
        }
    }

    /** Rejects unknown paths and wrong methods before the body is read; null if the request is admitted. */
    HttpResponse refuse(HttpRequest request) {
        String path = request.path();
        String allowed = method(path);
        if (allowed == null) {
            return InferenceError.of(404, unknown(path)).withHeaders(state.versionLine());
        }
        if (!request.method().equals(allowed)) {
            String allow = allowed.equals("GET") ? "GET, HEAD" : allowed;
            return InferenceError.of(405, path + " is called with " + allowed)
                    .withHeaders(state.versionLine() + "Allow: " + allow + "\r\n");
        }
        return null;
    }

    void handle(HttpExchange exchange) throws IOException {
        find(exchange.request().path()).handle(exchange);
    }

    private String method(String path) {
        for (Endpoints protocol : protocols) {
            String allowed = protocol.method(path);
            if (allowed != null) {
                return allowed;
            }
        }
        return null;
    }

    private Endpoints find(String path) {
        for (Endpoints protocol : protocols) {
            if (protocol.method(path) != null) {
                return protocol;
            }
        }
        return null;
    }

    private String unknown(String path) {
        String model = state.settings().model();
        Optional<String> named = ProtocolPath.modelOf(path);
        if (named.isEmpty()) {
            return "there is nothing at " + cut(path) + "; start at " + ModelAction.METADATA.path(model);
        }
        if (!named.get().equals(model)) {
            return "Request for unknown model: '%s' is not found; this replica serves '%s'"
                    .formatted(cut(named.get()), model);
        }
        return "there is nothing at %s; model '%s' has version %s here, with /ready, /config, /stats and /infer"
                .formatted(cut(path), model, state.settings().version());
    }

    private static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
