package io.knabla.controller.api;

import io.knabla.controller.errors.Problem;
import jakarta.ws.rs.core.Response;

/** Builds the HTTP response of a REST resource that carries a {@link Problem}. */
final class ProblemResponse {
    private ProblemResponse() {}

    static Response.ResponseBuilder of(Problem problem) {
        return Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    }
}
