/**
 * Infers element types, shapes with symbolic sizes, and the contents of small integer tensors; start at
 * {@link io.knabla.functions.compiler.shape.ShapeInference}.
 */
package io.knabla.functions.compiler.shape;
