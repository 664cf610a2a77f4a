/**
 * Runs models on ONNX Runtime: sessions, zero-copy tensors, batching, admission limits; start at
 * {@link io.knabla.runtime.engine.Engine}.
 */
package io.knabla.runtime.engine;
