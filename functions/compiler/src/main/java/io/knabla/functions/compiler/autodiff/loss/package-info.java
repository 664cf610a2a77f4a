/** Loss functions put behind a model's output, written as ONNX operators; start at {@link Losses}. */
package io.knabla.functions.compiler.autodiff.loss;
