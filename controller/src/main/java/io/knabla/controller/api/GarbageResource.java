package io.knabla.controller.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.knabla.controller.config.Settings;
import io.knabla.controller.errors.Problem;
import io.knabla.controller.gc.GarbageCollector;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.knabla.controller.gc.LocalFileCollector;
import io.knabla.controller.gc.LocalFileCollector.MachineReport;
import io.knabla.controller.gc.Report;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Reports or deletes stored objects that no version needs, and files of this machine that nothing needs. */
@Path("/api/v1/gc")
@Produces("application/json")
@RunOnVirtualThread
public class GarbageResource {
    private static final int RETRY_SECONDS = 30;

    /** The fields of the report, and the machine's beside them. */
    @Schema(name = "GarbageReport")
    private record Answer(@JsonUnwrapped Report report, MachineReport machine) {}

    private final GarbageCollector collector;
    private final LocalFileCollector machine;
    private final Settings settings;

    GarbageResource(GarbageCollector collector, LocalFileCollector machine, Settings settings) {
        this.collector = collector;
        this.machine = machine;
        this.settings = settings;
    }

    @Operation(operationId = "collectGarbage", summary = "Deletes what no version needs, or with dryRun lists it")
    @RequestBody(required = false, content = @Content(schema = @Schema(ref = "GarbageOptions")))
    @APIResponseSchema(value = Answer.class, responseCode = "200")
    @POST
    public Response collect(InputStream body) {
        var request = GarbageBody.parse(Bodies.text(body), settings.gc().grace());
        CollectionResult ended =
                request.dryRun() ? collector.dryRun(request.grace()) : collector.collect(request.grace());
        return switch (ended) {
            case CollectionResult.Done(var report) ->
                Response.ok(new Answer(report, machine.collect(request.dryRun())))
                        .build();
            case CollectionResult.Unclear(var sentence) ->
                ProblemResponse.of(Problem.of(409, sentence)).build();
            case CollectionResult.Busy(var sentence) ->
                ProblemResponse.of(Problem.of(503, sentence))
                        .header("Retry-After", RETRY_SECONDS)
                        .build();
        };
    }
}
