package io.knabla.controller.front;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import java.io.IOException;

/** Handles the requests that address a function by path or host; all others go to the control API. */
public interface FunctionHandler {
    boolean handles(HttpRequest request);

    void handle(HttpExchange exchange) throws IOException;
}
