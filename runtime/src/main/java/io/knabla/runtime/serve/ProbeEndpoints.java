package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.protocol.ProtocolResponses;
import java.io.IOException;
import java.time.Duration;

/** Answers probes, whether the replica is live and ready, and serves its metrics. Waits for no model. */
final class ProbeEndpoints implements Endpoints {
    private static final String METRICS = "/metrics";

    private final ReplicaState state;

    ProbeEndpoints(ReplicaState state) {
        this.state = state;
    }

    @Override
    public String method(String path) {
        ServerAction probe = ServerAction.of(path);
        boolean known = probe == ServerAction.LIVE || probe == ServerAction.READY || path.equals(METRICS);
        return known ? "GET" : null;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
        exchange.respondCompressed(answer(exchange.request().path()).withHeaders(state.versionLine()));
    }

    private HttpResponse answer(String path) {
        if (path.equals(METRICS)) {
            return metrics();
        }
        boolean ready = state.isReady();
        return path.equals(ServerAction.LIVE.path())
                ? live(ready)
                : HttpResponse.json(ready ? 200 : 503, ProtocolResponses.health(ready, true));
    }

    /**
     * Not live if a run is stuck: it holds its slot for ever, and only the end of the process frees it. Nor if the
     * model failed for good.
     */
    private HttpResponse live(boolean ready) {
        ServedModel model = state.served();
        Duration overdue = model == null ? Duration.ZERO : model.overdue();
        if (overdue.compareTo(state.settings().stuckAfter()) < 0 || overdue.isZero()) {
            return HttpResponse.json(200, ProtocolResponses.health(ready, true));
        }
        System.err.println(
                "not live: for %d s a run of the engine has gone on after it was told to stop at its timeout, or the engine has failed for good"
                        .formatted(overdue.toSeconds()));
        return HttpResponse.json(503, ProtocolResponses.health(ready, false));
    }

    private HttpResponse metrics() {
        byte[] text = state.metrics().render(state.settings(), state.served(), state.start());
        return new HttpResponse(200, "text/plain; version=0.0.4", "", text, text.length);
    }
}
