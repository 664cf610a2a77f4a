package io.knabla.runtime.inference;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.shm.SharedRegions;
import java.io.IOException;

/** Triton's extension for shared memory, on a replica with which clients may register regions. */
final class SharedMemoryEndpoints implements Endpoints {
    private final ReplicaState state;
    private final SharedMemoryHandler sharing;

    SharedMemoryEndpoints(ReplicaState state, SharedMemoryHandler sharing) {
        this.state = state;
        this.sharing = sharing;
    }

    @Override
    public String method(String path) {
        return sharing.handles(path) ? SharedRegions.method(path) : null;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
        exchange.respondCompressed(sharing.answer(exchange.request()).withHeaders(state.versionLine()));
    }
}
