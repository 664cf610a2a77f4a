package io.knabla.baseline;

import ai.onnxruntime.OrtException;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Serves the binary tensor extension with minimal work: skips the JSON header of the request unread and writes a
 * constant header but for the sizes.
 */
@Path("/v2/models/{name}")
public class BytesResource {
    private static final String LENGTH = "Inference-Header-Content-Length";

    private final Model model;

    BytesResource(Model model) {
        this.model = model;
    }

    @POST
    @Path("/infer-binary")
    public Response infer(@HeaderParam(LENGTH) int header, byte[] body) throws OrtException {
        return answer(header, body);
    }

    @POST
    @NonBlocking
    @Path("/infer-binary-nonblocking")
    public Response inferNonBlocking(@HeaderParam(LENGTH) int header, byte[] body) throws OrtException {
        return answer(header, body);
    }

    private Response answer(int skip, byte[] body) throws OrtException {
        var values = ByteBuffer.wrap(body, skip, body.length - skip)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        Model.Answer answer = model.run(values, new long[] {1, values.remaining()});
        int bytes = answer.values().remaining() * Float.BYTES;
        // Concatenated: String.format would take a tenth of the whole request.
        String header = "{\"model_name\":\"model\",\"outputs\":[{\"name\":\""
                + model.output()
                + "\",\"datatype\":\"FP32\",\"shape\":[1,"
                + bytes / Float.BYTES
                + "],\"parameters\":{\"binary_data_size\":"
                + bytes
                + "}}]}";
        byte[] json = header.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer all = ByteBuffer.allocate(json.length + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(json);
        all.asFloatBuffer().put(answer.values());
        return Response.ok(all.array(), MediaType.APPLICATION_OCTET_STREAM)
                .header(LENGTH, json.length)
                .build();
    }
}
