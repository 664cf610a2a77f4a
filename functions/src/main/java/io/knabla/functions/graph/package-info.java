/**
 * Reads ONNX models under limits and gives typed access to their graphs, nodes and tensors; start at {@link
 * io.knabla.functions.graph.ModelReader}.
 */
package io.knabla.functions.graph;
