/**
 * Infers element types, shapes with symbolic sizes, and the contents of small integer tensors; start at {@link
 * io.knabla.functions.graph.shape.Inference}.
 */
package io.knabla.functions.graph.shape;
