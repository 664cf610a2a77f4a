/** Attaches loss functions, written as ONNX operators, to a model's output; start at {@link Losses}. */
package io.knabla.functions.compiler.autodiff.loss;
