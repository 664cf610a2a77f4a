package io.knabla.controller.api;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.packaging.ModelExport;
import io.knabla.storage.ObjectStore;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Exports the model of a version with its current weights as one ONNX file. */
@Path("/api/v1/functions/{namespace}/{name}/versions/{version}/model")
@RunOnVirtualThread
public class ExportResource {
    private final Lookup lookup;
    private final ObjectStore store;

    ExportResource(Lookup lookup, ObjectStore store) {
        this.lookup = lookup;
        this.store = store;
    }

    @Operation(
            operationId = "exportModel",
            summary = "The model of a version with its current weights, as an ONNX file")
    @APIResponse(
            responseCode = "200",
            description = "The file",
            content =
                    @Content(
                            mediaType = "application/octet-stream",
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @GET
    @Produces("application/octet-stream")
    public Response model(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @PathParam("version") String number) {
        FunctionRecord record = lookup.function(lookup.id(namespace, name));
        Version version = lookup.version(record, number);
        try {
            ModelExport export = open(record.id(), version);
            StreamingOutput body = ClientStream.of(out -> {
                try (export) {
                    export.writeTo(out);
                }
            });
            return Response.ok(body)
                    .header("Content-Length", export.size())
                    .header(
                            "Content-Disposition",
                            "attachment; filename=\"%s-v%d.onnx\"".formatted(name, version.number()))
                    .build();
        } catch (ModelExport.TooLargeException tooLarge) {
            throw new ProblemException(501, tooLarge.getMessage());
        } catch (IOException broken) {
            throw new ProblemException(
                    500,
                    "cannot read the model of version %d of %s: %s"
                            .formatted(version.number(), record.id(), broken.getMessage()));
        }
    }

    private ModelExport open(FunctionId id, Version version) throws IOException {
        return ModelExport.of(version.unit(), StateKeys.of(id, version), store);
    }
}
