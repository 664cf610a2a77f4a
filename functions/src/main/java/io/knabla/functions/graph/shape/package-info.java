/**
 * Shapes and element types of every value, and integers that shapes are made of, with symbolic sizes; start at
 * {@link io.knabla.functions.graph.shape.Inference}.
 */
package io.knabla.functions.graph.shape;
