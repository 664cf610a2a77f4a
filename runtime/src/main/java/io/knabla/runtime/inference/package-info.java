/**
 * The protocols by which a model of the engine is called with tensors, one class a protocol; start at
 * {@link io.knabla.runtime.inference.InferenceProtocols}.
 */
package io.knabla.runtime.inference;
