/**
 * Generates text with a language model: requests, texts piece by piece, and refusals; start at
 * {@link io.knabla.runtime.generation.Generator}.
 */
package io.knabla.runtime.generation;
