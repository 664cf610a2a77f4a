/** Chooses the next token of a text from logits; start at {@link io.knabla.runtime.generation.sample.Sampler}. */
package io.knabla.runtime.generation.sample;
