package io.knabla.controller.api;

import io.knabla.controller.errors.Problem;
import io.knabla.controller.models.ModelAvailable;
import io.knabla.controller.models.ModelUploads;
import io.knabla.controller.models.UploadResult;
import io.knabla.functions.unit.Digest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.event.Event;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Uploads model files, named by their digest, whole or in resumable parts. */
@Path("/api/v1/models/{digest}")
@RunOnVirtualThread
public class ModelsResource {
    private static final String OFFSET = "Upload-Offset";

    private final ModelUploads uploads;
    private final Event<ModelAvailable> arrivals;

    ModelsResource(ModelUploads uploads, Event<ModelAvailable> arrivals) {
        this.uploads = uploads;
        this.arrivals = arrivals;
    }

    /** Returns 200 if the model is stored, otherwise 404 with the number of bytes received. */
    @Operation(operationId = "findModel", summary = "Whether a model file is stored")
    @APIResponse(responseCode = "200", description = "It is")
    @APIResponse(responseCode = "404", description = "It is not; Upload-Offset is the number of bytes received")
    @HEAD
    public Response head(@PathParam("digest") String text) {
        Digest digest = digest(text);
        if (uploads.has(digest)) {
            arrivals.fire(new ModelAvailable(digest));
            return Response.ok().build();
        }
        return Response.status(404).header(OFFSET, uploads.offset(digest)).build();
    }

    @Operation(operationId = "uploadModel", summary = "Uploads a model file, whole or a part of it")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/octet-stream",
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(responseCode = "200", description = "It was stored already")
    @APIResponse(responseCode = "201", description = "Stored")
    @APIResponse(
            responseCode = "202",
            description = "More parts are expected; Upload-Offset is the number of bytes received")
    @PUT
    public Response put(
            @PathParam("digest") String text,
            @HeaderParam("Content-Range") String contentRange,
            @HeaderParam("Content-Length") String contentLength,
            InputStream body) {
        Digest digest = digest(text);
        Optional<UploadResult.Range> range = range(contentRange);
        OptionalLong length =
                contentLength == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(contentLength));
        try {
            UploadResult upload = uploads.receive(digest, range, length, body);
            if (upload instanceof UploadResult.Complete) {
                arrivals.fire(new ModelAvailable(digest));
            }
            return answer(upload);
        } catch (IOException broken) {
            throw new ProblemException(
                    400,
                    "the upload was interrupted; HEAD returns the bytes received, resume there with Content-Range");
        }
    }

    static Response answer(UploadResult upload) {
        return switch (upload) {
            case UploadResult.Complete(var created) ->
                Response.status(created ? 201 : 200).build();
            case UploadResult.Partial(var offset) ->
                Response.status(202).header(OFFSET, offset).build();
            case UploadResult.Conflict(var offset, var sentence) ->
                ProblemResponse.of(Problem.of(409, sentence))
                        .header(OFFSET, offset)
                        .build();
            case UploadResult.TooLarge(var sentence) -> problem(413, sentence);
            case UploadResult.DiskFull(var sentence) -> problem(507, sentence);
            case UploadResult.Invalid(var sentence) -> problem(400, sentence);
        };
    }

    static Response problem(int status, String sentence) {
        return ProblemResponse.of(Problem.of(status, sentence)).build();
    }

    static Digest digest(String text) {
        try {
            return new Digest(text);
        } catch (IllegalArgumentException malformed) {
            throw new ProblemException(400, malformed.getMessage());
        }
    }

    private static Optional<UploadResult.Range> range(String header) {
        if (header == null) {
            return Optional.empty();
        }
        return Optional.of(UploadResult.Range.parse(header)
                .orElseThrow(() -> new ProblemException(
                        400,
                        "Content-Range is '%s'; write 'bytes FIRST-LAST/TOTAL', last inclusive".formatted(header))));
    }
}
