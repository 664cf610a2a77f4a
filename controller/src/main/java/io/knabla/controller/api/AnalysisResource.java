package io.knabla.controller.api;

import io.knabla.controller.deploy.ModelAnalysis;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;

/** Analyzes a model from the request body and stores nothing. */
@Path("/api/v1/analysis")
@Produces("application/json")
@RunOnVirtualThread
public class AnalysisResource {
    private final ModelAnalysis analysis;

    AnalysisResource(ModelAnalysis analysis) {
        this.analysis = analysis;
    }

    @POST
    @Consumes("application/octet-stream")
    public Response analyze(InputStream model) {
        try {
            return switch (analysis.of(model)) {
                case ModelAnalysis.Answer.Done(var done) -> Response.ok(done).build();
                case ModelAnalysis.Answer.Refused(var faults) ->
                    Problem.faults(faults).response().build();
                case ModelAnalysis.Answer.TooLarge(var sentence) ->
                    Problem.of(413, sentence).response().build();
                case ModelAnalysis.Answer.NotWritten(var sentence) ->
                    Problem.of(507, sentence).response().build();
                case ModelAnalysis.Answer.Busy _ ->
                    Problem.of(503, "too many analyses are under way; try again in a moment")
                            .response()
                            .header("Retry-After", 5)
                            .build();
            };
        } catch (IOException broken) {
            throw new ProblemException(400, "the model was not received completely: " + broken.getMessage());
        }
    }
}
