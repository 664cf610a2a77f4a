package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import java.io.IOException;

/**
 * One protocol that a replica speaks: its paths, and the answers to them. A replica listens before its model is loaded,
 * so a protocol knows its paths, and admits requests, before anybody knows whether the model answers it. Thread-safe.
 */
public interface Endpoints {
    /** Tells a client of a request that there was no memory for; its status is 503. */
    String OUT_OF_MEMORY =
            "this replica has no memory left for the request; send less at once, or raise resources.memory";

    /** Tells a client of a fault of the replica; its status is 500. */
    String INTERNAL_ERROR = "the replica failed on this request; its log says more";

    /**
     * The one method that is allowed at a path, GET or POST; null for a path that is none of this protocol. The same at
     * every call, and called twice a request: it must take no longer than a look into a map.
     */
    String method(String path);

    /** Called once, before {@link ReplicaState#awaitModel} returns, with the model of this replica. */
    default void loaded(ServedModel model) {}

    /**
     * Answers a request to one of its paths by its method, on a virtual thread of its own: reads the body, and responds
     * with all of the answer or piece by piece ({@link HttpExchange#respond(int, String, long)}). Who streams or
     * computes for long learns by {@link HttpExchange#onClientGone} that nobody waits any more.
     *
     * @throws IOException if the client has left
     * @throws HttpFault if the body is malformed, too large or too late
     */
    void handle(HttpExchange exchange) throws IOException;
}
