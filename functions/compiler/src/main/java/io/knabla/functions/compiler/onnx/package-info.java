/**
 * Reads ONNX models under limits and gives typed access to their graphs, nodes and tensors; start at
 * {@link io.knabla.functions.compiler.onnx.ModelReader}.
 */
package io.knabla.functions.compiler.onnx;
