package io.knabla.runtime.inference;

import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import java.util.List;

/** How a protocol writes inputs and outputs. */
interface TensorForm {
    InferRequest decode(HttpRequest request);

    Body encode(InferRequest request, List<Tensor> outputs);
}
