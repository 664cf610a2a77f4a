package io.knabla.functions.compiler.optimize;

import ai.onnx.proto.OnnxMl.ModelProto;

/**
 * An optimised and exported graph; the order of its nodes keeps the peak memory of the engine low.
 *
 * @param peakBytes predicted peak memory of values between nodes and of results
 * @param reason what was done to save memory, and why
 */
public record OptimizedModel(ModelProto model, long peakBytes, String reason) {}
