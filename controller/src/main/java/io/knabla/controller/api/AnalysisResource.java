package io.knabla.controller.api;

import io.knabla.controller.deploy.ModelAnalysis;
import io.knabla.controller.errors.Problem;
import io.knabla.functions.compiler.analyze.Analysis;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Analyzes a model from the request body and stores nothing. */
@Path("/api/v1/analysis")
@Produces("application/json")
@RunOnVirtualThread
public class AnalysisResource {
    private final ModelAnalysis analysis;

    AnalysisResource(ModelAnalysis analysis) {
        this.analysis = analysis;
    }

    @Operation(operationId = "analyzeModel", summary = "Analyzes an ONNX model without storing it")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/octet-stream",
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponseSchema(value = Analysis.class, responseCode = "200")
    @POST
    @Consumes("application/octet-stream")
    public Response analyze(InputStream model) {
        try {
            return switch (analysis.of(model)) {
                case ModelAnalysis.Answer.Done(var done) -> Response.ok(done).build();
                case ModelAnalysis.Answer.Refused(var faults) ->
                    ProblemResponse.of(Problem.faults(faults)).build();
                case ModelAnalysis.Answer.TooLarge(var sentence) ->
                    ProblemResponse.of(Problem.of(413, sentence)).build();
                case ModelAnalysis.Answer.NotWritten(var sentence) ->
                    ProblemResponse.of(Problem.of(507, sentence)).build();
                case ModelAnalysis.Answer.Busy _ ->
                    ProblemResponse.of(Problem.of(503, "too many analyses are under way; try again in a moment"))
                            .header("Retry-After", 5)
                            .build();
            };
        } catch (IOException broken) {
            throw new ProblemException(400, "the model was not received completely: " + broken.getMessage());
        }
    }
}
