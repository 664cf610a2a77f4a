package io.knabla.controller.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.knabla.controller.models.DirectUploads;
import io.knabla.controller.models.DirectUploads.Offer;
import io.knabla.controller.models.ModelAvailable;
import io.knabla.controller.models.UploadResult;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.PresignedUploads;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.event.Event;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Begins and completes uploads of model files that clients send directly to the object store. */
@Path("/api/v1/models/{digest}/upload")
@Consumes("application/json")
@Produces("application/json")
@RunOnVirtualThread
public class DirectUploadResource {
    private final DirectUploads uploads;
    private final Event<ModelAvailable> arrivals;

    DirectUploadResource(DirectUploads uploads, Event<ModelAvailable> arrivals) {
        this.uploads = uploads;
        this.arrivals = arrivals;
    }

    /** @param size bytes of the whole file */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Begin(long size) {}

    /** @param id of the upload, from the answer to {@link Begin} */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Complete(String id, long size) {}

    /** @param missing parts that the store does not have yet */
    public record Parts(String id, long size, long partSize, List<PartView> missing) {}

    /**
     * One part to send with PUT and these headers; sending it again is harmless.
     *
     * @param offset of the first byte in the file
     */
    public record PartView(int number, long offset, long size, URI url, Map<String, String> headers) {}

    /** Returns 200 with the parts to send, 204 if the model exists, 501 if the store has no direct uploads. */
    @Operation(operationId = "beginUpload", summary = "Begins an upload directly to the object store")
    @APIResponseSchema(value = Parts.class, responseCode = "200")
    @APIResponse(responseCode = "204", description = "The model is stored already")
    @POST
    public Response begin(@PathParam("digest") String text, Begin request) {
        Digest digest = ModelsResource.digest(text);
        return switch (uploads.begin(digest, request == null ? 0 : request.size())) {
            case Offer.AlreadyStored _ -> {
                arrivals.fire(new ModelAvailable(digest));
                yield Response.noContent().build();
            }
            case Offer.Send(var upload) -> Response.ok(view(upload)).build();
            case Offer.NotOffered(var sentence) -> ModelsResource.problem(501, sentence);
            case Offer.TooLarge(var sentence) -> ModelsResource.problem(413, sentence);
            case Offer.Invalid(var sentence) -> ModelsResource.problem(400, sentence);
        };
    }

    private static Parts view(PresignedUploads.Upload upload) {
        return new Parts(
                upload.id(),
                upload.size(),
                upload.partSize(),
                upload.missing().stream()
                        .map(part ->
                                new PartView(part.number(), part.offset(), part.size(), part.url(), part.headers()))
                        .toList());
    }

    /** Checks the digest of the whole file: 201 when the model is stored, 409 while parts are missing. */
    @Operation(operationId = "completeUpload", summary = "Completes an upload directly to the object store")
    @APIResponse(responseCode = "200", description = "It was stored already")
    @APIResponse(responseCode = "201", description = "Stored")
    @POST
    @Path("complete")
    public Response complete(@PathParam("digest") String text, Complete request) {
        Digest digest = ModelsResource.digest(text);
        if (request == null || request.id() == null || request.id().isBlank() || request.size() < 1) {
            throw new ProblemException(400, "name the upload: {\"id\": from the answer, \"size\": bytes of the file}");
        }
        UploadResult upload = uploads.complete(digest, request.id(), request.size());
        if (upload instanceof UploadResult.Complete) {
            arrivals.fire(new ModelAvailable(digest));
        }
        return ModelsResource.answer(upload);
    }
}
