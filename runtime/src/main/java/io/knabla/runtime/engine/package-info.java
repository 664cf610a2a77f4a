/**
 * Runs a model: sessions, tensors without copies, batching, limits; start at {@link io.knabla.runtime.engine.Engine}.
 */
package io.knabla.runtime.engine;
