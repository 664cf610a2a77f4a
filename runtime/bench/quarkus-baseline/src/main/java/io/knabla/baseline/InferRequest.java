package io.knabla.baseline;

import java.util.List;

/** An Open Inference Protocol v2 request, as Jackson reads it. */
public record InferRequest(String id, List<Tensor> inputs) {
    /** One input or output tensor. */
    public record Tensor(String name, String datatype, long[] shape, float[] data) {}
}
