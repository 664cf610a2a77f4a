package io.knabla.functions.compiler.optimize;

import ai.onnx.proto.OnnxMl.ModelProto;

/**
 * A graph as a file, its nodes where the engine runs them in the best order.
 *
 * @param peakBytes the most that values between nodes and results take at once, as foretold
 * @param reason what was done about memory, and why
 */
public record Finished(ModelProto model, long peakBytes, String reason) {}
