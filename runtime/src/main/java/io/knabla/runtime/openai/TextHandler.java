package io.knabla.runtime.openai;

import io.knabla.runtime.http.HttpExchange;
import java.io.IOException;

/** Answers the requests of OpenAI's API that one model serves. Thread-safe. */
public interface TextHandler {
    /**
     * Whether the model answers at a path.
     *
     * @param path one of {@link io.knabla.runtime.paths.TextPaths}, or that of the list of models
     */
    boolean answers(String path);

    /**
     * Answers a request to one of these paths, whose body was read.
     *
     * @throws IOException if the client has left
     */
    void handle(HttpExchange exchange) throws IOException;
}
