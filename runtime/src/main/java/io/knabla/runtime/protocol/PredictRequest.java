package io.knabla.runtime.protocol;

import java.util.OptionalInt;

/**
 * A decoded request of KServe's V1 protocol.
 *
 * @param instances number of rows if the request has rows, to be answered by rows; empty if it has columns
 */
public record PredictRequest(InferRequest infer, OptionalInt instances) {}
