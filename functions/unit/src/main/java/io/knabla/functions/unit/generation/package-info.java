/**
 * Holds what a replica must know of a unit that generates text, beside its graph and tokenizer; start at
 * {@link io.knabla.functions.unit.generation.GenerationSettings}.
 */
package io.knabla.functions.unit.generation;
