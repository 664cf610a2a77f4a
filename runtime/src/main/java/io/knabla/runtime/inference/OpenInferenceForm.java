package io.knabla.runtime.inference;

import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.RequestDecoder;
import io.knabla.runtime.protocol.ResponseEncoder;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import java.util.List;

/** Tensors in the Open Inference Protocol: JSON, binary, streamed, or in shared memory. */
record OpenInferenceForm(RequestDecoder decoder, ResponseEncoder encoder, SharedMemoryHandler sharing)
        implements TensorForm {
    @Override
    public InferRequest decode(HttpRequest request) {
        return request.rest() == null
                ? decoder.decode(
                        request.body(),
                        request.bodyLength(),
                        request.header("Inference-Header-Content-Length"),
                        sharing.of(request))
                : decoder.decodeBefore(request.body(), request.bodyLength(), new StreamedTensors(request.rest()));
    }

    @Override
    public Body encode(InferRequest request, List<Tensor> outputs) {
        return encoder.encode(request, outputs);
    }
}
