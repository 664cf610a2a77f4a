package io.knabla.controller.front;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import java.io.IOException;

/** Handles the requests to functions; all others are for the control API. */
public interface FunctionHandler {
    boolean handles(HttpRequest request);

    void handle(HttpExchange exchange) throws IOException;
}
