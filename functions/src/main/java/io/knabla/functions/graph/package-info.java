/**
 * A typed view of an ONNX graph: values, nodes, tensors, read under limits; start at
 * {@link io.knabla.functions.graph.ModelReader}.
 */
package io.knabla.functions.graph;
