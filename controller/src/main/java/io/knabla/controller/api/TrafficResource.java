package io.knabla.controller.api;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.deploy.TrafficChange.Outcome;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Splits a function's traffic between versions, and rolls it back. */
@Path("/api/v1/functions/{namespace}/{name}")
@Produces("application/json")
@RunOnVirtualThread
public class TrafficResource {
    private final TrafficChange change;
    private final Lookup lookup;

    TrafficResource(TrafficChange change, Lookup lookup) {
        this.change = change;
        this.lookup = lookup;
    }

    @Operation(operationId = "setTraffic", summary = "Splits traffic between versions")
    @RequestBody(content = @Content(schema = @Schema(ref = "TrafficSplit")))
    @APIResponseSchema(value = Views.FunctionView.class, responseCode = "200")
    @PUT
    @Path("traffic")
    @Consumes("application/json")
    public Response traffic(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            InputStream body,
            @Context UriInfo uri) {
        FunctionId id = lookup.id(namespace, name);
        return answer(id, change.split(id, TrafficBody.split(Bodies.text(body))), uri);
    }

    @Operation(operationId = "rollbackFunction", summary = "Sends all traffic to an earlier version")
    @RequestBody(required = false, content = @Content(schema = @Schema(ref = "Rollback")))
    @APIResponseSchema(value = Views.FunctionView.class, responseCode = "200")
    @POST
    @Path("rollback")
    public Response rollback(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            InputStream body,
            @Context UriInfo uri) {
        FunctionId id = lookup.id(namespace, name);
        return answer(id, change.rollback(id, TrafficBody.rollback(Bodies.text(body))), uri);
    }

    private Response answer(FunctionId id, Outcome outcome, UriInfo uri) {
        return switch (outcome) {
            case Outcome.Done(var record) ->
                Response.ok(lookup.view(record, uri)).build();
            case Outcome.Unknown _ -> throw lookup.unknown(id);
            case Outcome.Refused(var faults) -> throw ProblemException.faults(faults);
        };
    }
}
