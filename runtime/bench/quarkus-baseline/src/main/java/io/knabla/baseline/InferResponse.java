package io.knabla.baseline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** An Open Inference Protocol v2 answer, as Jackson writes it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InferResponse(@JsonProperty("model_name") String model, String id, List<InferRequest.Tensor> outputs) {}
