package io.knabla.runtime.inference;

import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import java.util.List;

/** Decodes the inputs of one protocol's requests, and encodes the outputs of its answers. */
interface TensorForm {
    InferRequest decode(HttpRequest request);

    Body encode(InferRequest request, List<Tensor> outputs);
}
