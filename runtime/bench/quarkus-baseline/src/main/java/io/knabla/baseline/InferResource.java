package io.knabla.baseline;

import ai.onnxruntime.OrtException;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Serves infer requests as JSON mapped to records by Jackson: on the worker pool, which is Quarkus' default, or on the
 * event loop.
 */
@Path("/v2/models/{name}")
public class InferResource {
    private final Model model;

    InferResource(Model model) {
        this.model = model;
    }

    @POST
    @Path("/infer")
    public InferResponse infer(InferRequest request) throws OrtException {
        return answer(request);
    }

    /** Runs on the event loop: faster for short work, but blocks all other events meanwhile. */
    @POST
    @NonBlocking
    @Path("/infer-nonblocking")
    public InferResponse inferNonBlocking(InferRequest request) throws OrtException {
        return answer(request);
    }

    private InferResponse answer(InferRequest request) throws OrtException {
        InferRequest.Tensor in = request.inputs().getFirst();
        Model.Answer answer = model.run(FloatBuffer.wrap(in.data()), in.shape());
        float[] values = new float[answer.values().remaining()];
        answer.values().get(values);
        var out = new InferRequest.Tensor(model.output(), "FP32", answer.shape(), values);
        return new InferResponse("model", request.id(), List.of(out));
    }
}
