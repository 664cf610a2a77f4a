/**
 * Predicts which nodes of a graph ONNX Runtime computes on a CUDA device and what it copies between device and host;
 * start at {@link io.knabla.functions.compiler.cuda.PlacementPredictor}.
 */
package io.knabla.functions.compiler.cuda;
