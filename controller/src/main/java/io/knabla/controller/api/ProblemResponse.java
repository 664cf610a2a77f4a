package io.knabla.controller.api;

import io.knabla.controller.errors.Problem;
import jakarta.ws.rs.core.Response;

/** Makes problems the responses of resources. */
final class ProblemResponse {
    private ProblemResponse() {}

    static Response.ResponseBuilder of(Problem problem) {
        return Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    }
}
