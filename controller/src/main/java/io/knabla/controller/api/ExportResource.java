package io.knabla.controller.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Exports the model of a version with its current weights: as one ONNX file, or the weights alone. */
@Path("/api/v1/functions/{namespace}/{name}/versions/{version}")
@RunOnVirtualThread
public class ExportResource {
    private static final String FILE = "application/octet-stream";

    private final Exports exports;

    ExportResource(Exports exports) {
        this.exports = exports;
    }

    @Operation(
            operationId = "exportModel",
            summary = "The model of a version with its current weights, as an ONNX file")
    @APIResponse(
            responseCode = "200",
            description = "The file",
            content = @Content(mediaType = FILE, schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @GET
    @Path("/model")
    @Produces(FILE)
    public Response model(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @PathParam("version") String number) {
        return exports.answer(namespace, name, number, ExportForm.MODEL);
    }

    @Operation(
            operationId = "exportWeights",
            summary = "The current weights of a version, under the names of the model's initializers, as a safetensors"
                    + " file")
    @APIResponse(
            responseCode = "200",
            description = "The file",
            content = @Content(mediaType = FILE, schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @GET
    @Path("/weights")
    @Produces(FILE)
    public Response weights(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @PathParam("version") String number) {
        return exports.answer(namespace, name, number, ExportForm.WEIGHTS);
    }
}
