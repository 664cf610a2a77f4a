package io.knabla.controller.api;

import io.knabla.controller.errors.Problem;
import jakarta.ws.rs.core.Response;

/** Builds responses of REST resources from problems. */
final class ProblemResponse {
    private ProblemResponse() {}

    static Response.ResponseBuilder of(Problem problem) {
        return Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    }
}
